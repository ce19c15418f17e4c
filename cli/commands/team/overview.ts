import { command } from "../../command.ts";

export default command({
  meta: { description: "Show users, servers and calls at a glance" },
  async run({ cli }) {
    const dashboard = await cli.call("GET /api/v1/admin/dashboard", {});
    await cli.show(dashboard, () =>
      [
        `users     ${dashboard.total_users}, ${dashboard.active_users} signed in with ${dashboard.active_sessions} browsers`,
        `servers   ${dashboard.total_servers}, ${dashboard.healthy_servers} healthy`,
        `calls     ${dashboard.tool_calls_24h} within 24 hours, ${Math.round(dashboard.error_rate_24h * 100)} % failed`,
      ].join("\n"),
    );
  },
});
