import { command } from "../../command.ts";

export default command({
  meta: { description: "Show users, servers and calls at a glance" },
  async run({ cli }) {
    const seen = await cli.call("GET /api/v1/admin/dashboard", {});
    await cli.show(seen, () =>
      [
        `users     ${seen.total_users}, ${seen.active_users} signed in with ${seen.active_sessions} browsers`,
        `servers   ${seen.total_servers}, ${seen.healthy_servers} healthy`,
        `calls     ${seen.tool_calls_24h} within 24 hours, ${Math.round(seen.error_rate_24h * 100)} % failed`,
      ].join("\n"),
    );
  },
});
