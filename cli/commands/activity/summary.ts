import { command } from "../../command.ts";

export default command({
  meta: { description: "Count recent activity by status, server or tool" },
  args: {
    period: {
      type: "enum",
      alias: "p",
      valueHint: "time",
      options: ["1h", "24h", "7d", "30d"],
      description: "period: 1h, 24h (default), 7d or 30d",
    },
    by: {
      type: "enum",
      valueHint: "what",
      options: ["status", "server", "tool"],
      description: "group by status (default), server or tool",
    },
  },
  async run({ cli, args }) {
    const { period = "24h", by = "status" } = args;
    const found = await cli.call("GET /api/v1/activity/summary", { query: { period } });
    const rows: Record<typeof by, (readonly [string, number])[]> = {
      status: [
        ["success", found.success_count],
        ["error", found.error_count],
        ["blocked", found.blocked_count],
        ["rejected", found.rejected_count],
        ["all", found.total_count],
      ],
      server: found.top_servers.map(({ name, count }) => [name, count] as const),
      tool: found.top_tools.map(({ server, tool, count }) => [`${server}:${tool}`, count] as const),
    };
    await cli.show(found, () => ({ columns: [by, "count"], rows: rows[by], empty: "no activity in this period" }));
  },
});
