import { command } from "../../command.ts";

export default command({
  meta: { description: "Count calls by tool, with durations and response sizes" },
  args: {
    window: {
      type: "enum",
      alias: "w",
      valueHint: "time",
      options: ["24h", "7d", "all"],
      description: "period: 24h (default), 7d or all",
    },
    server: { type: "string", alias: "s", names: "servers", valueHint: "name", description: "only this server" },
    sort: {
      type: "enum",
      valueHint: "what",
      options: ["calls", "resp_bytes", "error_rate", "p95"],
      description: "sort by calls (default), resp_bytes, error_rate or p95, highest first",
    },
    top: { type: "string", number: true, alias: "n", description: "maximum number of tools (20)" },
  },
  async run({ cli, args }) {
    const { window, server, sort = "calls", top } = args;
    const query = {
      sort,
      ...(window !== undefined && { window }),
      ...(server !== undefined && { server }),
      ...(top !== undefined && { top: String(top) }),
    };
    const found = await cli.call("GET /api/v1/activity/usage", { query });
    await cli.show(found, ({ tools }) => ({
      columns: ["tool", "calls", "errors", "blocked", "rejected", "p50 ms", "p95 ms", "answers", "last used"],
      rows: tools.map((t) => [
        `${t.server}:${t.tool}`,
        t.calls,
        t.errors,
        t.blocked,
        t.rejected,
        t.p50_ms,
        t.p95_ms,
        `${t.total_resp_bytes} bytes`,
        t.last_used,
      ]),
      empty: "no calls in this period",
    }));
  },
});
