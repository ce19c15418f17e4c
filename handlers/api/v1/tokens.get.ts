import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { TokenEntry } from "#lib/shape/token-entry.ts";
import { list } from "#lib/tokens/list.ts";

export default endpoint("GET /api/v1/tokens", {
  summary: "List agent tokens",
  access: "admin",
  data: v.object({ tokens: v.array(TokenEntry) }),
  run: ({ app }) => ({ tokens: list(app) }),
});
