import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { removeServer, removeServerAndForget } from "#lib/core/verbs/servers/remove.ts";

/**
 * Removes a server. The approvals and blocks of its tools are kept for a server of the same name, unless the request
 * deletes them.
 */
export default endpoint("DELETE /api/v1/servers/{name}", {
  summary: "Remove an upstream server",
  access: "admin",
  validates: true,
  query: v.object({
    forget: v.optional(
      v.pipe(
        v.picklist(["true", "false"]),
        v.description("also delete its approvals, blocks and pins; works for a removed server, too"),
      ),
      "false",
    ),
  }),
  data: v.object({
    server: v.string(),
    action: v.literal("remove"),
    success: v.literal(true),
    message: v.string(),
    restore_version: v.optional(
      v.pipe(
        v.number(),
        v.description(
          "version of the configuration before the removal; `POST /api/v1/config/history/{version}/restore` restores the entry",
        ),
      ),
    ),
  }),
  faults: ["server_not_found", "management_disabled"],
  async run({ app, params, query, by }) {
    const forgets = query.forget === "true";
    await (forgets ? removeServerAndForget : removeServer)(app, params.name, by);
    // The newest version is the current configuration.
    const [, before] = await app.config.history.list();
    const restorable = forgets ? undefined : before?.version;
    return {
      ...(restorable !== undefined && { restore_version: restorable }),
      server: params.name,
      action: "remove",
      success: true,
      message: `server "${params.name}": removed${forgets ? " and forgotten" : ""}${restorable === undefined ? "" : `; to undo, restore version ${restorable} of the configuration`}`,
    };
  },
});
