import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { TokenEntry } from "#lib/core/schema/token-entry.ts";
import { findToken, tokenEntry } from "#lib/core/verbs/tokens/entry.ts";

export default endpoint("GET /api/v1/tokens/{name}", {
  summary: "Show one agent token",
  access: "admin",
  data: v.object({ token: TokenEntry }),
  faults: ["no_such_record"],
  run: ({ app, params }) => ({ token: tokenEntry(app, findToken(app, params.name)) }),
});
