import * as v from "valibot";
import { list } from "#lib/connect/status.ts";
import { ClientStatusShape } from "#lib/http/connect-shapes.ts";
import { endpoint } from "#lib/http/endpoint.ts";

/** Opens no file of a client, so that nobody is asked for a permission (spec 000 §4.5 rule 8). */
export default endpoint("GET /api/v1/connect", {
  summary: "List the known MCP clients",
  access: "admin",
  data: v.array(ClientStatusShape),
  run: ({ app }) => list(app),
});
