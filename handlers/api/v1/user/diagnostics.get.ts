import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { userServers } from "#lib/modules/team/servers.ts";

export default endpoint("GET /api/v1/user/diagnostics", {
  summary: "Report the health of the user's own servers",
  access: "user",
  data: v.object({
    servers: v.array(
      v.object({
        name: v.string(),
        ownership: v.literal("shared"),
        connected: v.boolean(),
        tool_count: v.number(),
        protocol: v.string(),
        enabled: v.boolean(),
        user_enabled: v.boolean(),
        summary: v.string(),
      }),
    ),
  }),
  run: ({ app, caller }) => ({
    servers: userServers(app, caller).map(({ health, ...server }) => ({
      name: server.name,
      ownership: server.ownership,
      connected: server.connected,
      tool_count: server.tool_count,
      protocol: server.protocol,
      enabled: server.enabled,
      user_enabled: server.user_enabled,
      summary: health.summary,
    })),
  }),
});
