import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { WATCH, watch } from "../../watch.ts";

export default command({
  meta: {
    description: "List the sessions of MCP clients, newest first",
    detail:
      "A client appears after its first tool call and is idle after five minutes without one. Clients of protocol version 2026-07-28 have no sessions: their calls are grouped by client, caller and mode.",
  },
  args: {
    status: {
      type: "enum",
      valueHint: "status",
      options: ["active", "closed"],
      description: "only active or only closed sessions",
    },
    limit: { type: "string", number: true, alias: "n", description: "maximum number of entries (10)" },
    offset: { type: "string", number: true, min: 0, description: "number of newest entries to skip" },
    sort: {
      type: "string",
      valueHint: "what",
      description:
        "last_activity, start_time or tool_call_count; -tool_call_count for descending order (-last_activity)",
    },
    ...WATCH,
  },
  async run({ cli, args }) {
    const { status, limit, offset, sort } = args;
    const query = {
      ...(status && { status }),
      ...(limit !== undefined && { limit: String(limit) }),
      ...(offset !== undefined && { offset: String(offset) }),
      ...(sort !== undefined && { sort }),
    };
    const show = async ({ call, show }: Cli) => {
      const { sessions } = await call("GET /api/v1/sessions", { query });
      await show(sessions, () => ({
        columns: ["id", "client", "status", "caller", "mode", "started", "last call", "calls"],
        whole: ["id"],
        rows: sessions.map((s) => [
          s.id,
          clientOf(s),
          s.idle ? "idle" : s.status,
          s.actor,
          s.mode,
          s.start_time,
          s.last_activity,
          s.tool_call_count,
        ]),
        empty: "no sessions; a client appears after its first tool call",
      }));
    };
    if (args.watch) return watch(cli, { on: ["activity"] }, show);
    await show(cli);
  },
});

const clientOf = (s: { client_name: string; client_version: string }) => `${s.client_name} ${s.client_version}`.trim();
