import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { clamped } from "#lib/core/api/query.ts";
import { readServerLogs, SERVER_LOG_LEVELS } from "#lib/core/verbs/servers/logs.ts";

/** The end of a server's log, with credentials masked (spec 000 §2.9). */
export default endpoint("GET /api/v1/servers/{name}/logs", {
  summary: "Read the latest lines of a server's log",
  access: "read",
  query: v.object({
    tail: clamped(1, 1000, 100),
    level: v.optional(
      v.pipe(v.picklist(SERVER_LOG_LEVELS), v.description("only lines of this level or a more severe one")),
    ),
  }),
  data: v.object({
    server_name: v.string(),
    logs: v.array(v.object({ timestamp: v.string(), level: v.string(), message: v.string() })),
    count: v.number(),
  }),
  faults: ["server_not_found", "admin_required", "log_withheld"],
  async run({ app, params, query, caller }) {
    const lines = await readServerLogs(app, params.name, query.tail, caller, query.level);
    return { server_name: params.name, logs: lines, count: lines.length };
  },
});
