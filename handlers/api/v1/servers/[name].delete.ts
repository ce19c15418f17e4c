import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { remove } from "#lib/servers/remove.ts";

/** Removes a server with its tools and their approvals. */
export default endpoint("DELETE /api/v1/servers/{name}", {
  summary: "Remove an upstream server",
  access: "admin",
  data: v.object({
    server: v.string(),
    action: v.literal("remove"),
    success: v.literal(true),
    message: v.string(),
  }),
  faults: ["server_not_found", "management_disabled"],
  async run({ app, params, by }) {
    await remove(app, params.name, by);
    return { server: params.name, action: "remove", success: true, message: `server "${params.name}": removed` };
  },
});
