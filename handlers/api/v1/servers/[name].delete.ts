import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { remove, removeAndForget } from "#lib/servers/remove.ts";

/** Removes a server; the approvals and blocks of its tools stay for when it returns, unless they are to be forgotten. */
export default endpoint("DELETE /api/v1/servers/{name}", {
  summary: "Remove an upstream server",
  access: "admin",
  query: v.object({
    forget: v.optional(
      v.pipe(
        v.picklist(["true", "false"]),
        v.description("also forget approvals, blocks and pins; works for a server that was removed before, too"),
      ),
      "false",
    ),
  }),
  data: v.object({
    server: v.string(),
    action: v.literal("remove"),
    success: v.literal(true),
    message: v.string(),
  }),
  faults: ["server_not_found", "management_disabled"],
  async run({ app, params, query, by }) {
    const forgets = query.forget === "true";
    await (forgets ? removeAndForget : remove)(app, params.name, by);
    return {
      server: params.name,
      action: "remove",
      success: true,
      message: `server "${params.name}": removed${forgets ? " and forgotten" : ""}`,
    };
  },
});
