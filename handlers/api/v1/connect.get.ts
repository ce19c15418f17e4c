import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ClientStatusShape } from "#lib/core/schema/connect-shapes.ts";
import { listClientStatus } from "#lib/modules/connect/status.ts";

/** Opens no file of a client, so that the operating system prompts nobody for permission (spec 000 §4.5 rule 8). */
export default endpoint("GET /api/v1/connect", {
  summary: "List the known MCP clients",
  access: "admin",
  data: v.array(ClientStatusShape),
  run: ({ app }) => listClientStatus(app),
});
