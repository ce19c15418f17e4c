import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { TokenEntry } from "#lib/shape/token-entry.ts";
import { entry, find } from "#lib/tokens/entry.ts";

export default endpoint("GET /api/v1/tokens/{name}", {
  summary: "Show one agent token",
  access: "admin",
  data: v.object({ token: TokenEntry }),
  faults: ["no_such_record"],
  run: ({ app, params }) => ({ token: entry(app, find(app, params.name)) }),
});
