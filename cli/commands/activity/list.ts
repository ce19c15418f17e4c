import { command } from "../../command.ts";

export default command({
  meta: { description: "List what happened, newest first: calls, blocks, changes" },
  args: {
    type: {
      type: "string",
      alias: "t",
      valueHint: "types",
      description: "such as tool_call or policy_decision; several with commas",
    },
    server: { type: "string", alias: "s", valueHint: "name", description: "only about this server" },
    tool: { type: "string", valueHint: "name", description: "only about tools of this name" },
    status: { type: "string", valueHint: "status", description: "success, error, blocked or rejected" },
    session: { type: "string", valueHint: "id", description: "only of this MCP session" },
    "request-id": { type: "string", valueHint: "id", description: "only of this request" },
    since: { type: "string", valueHint: "time", description: "after this time, such as 2026-01-31T09:30:00Z" },
    until: { type: "string", valueHint: "time", description: "before this time" },
    limit: { type: "string", number: true, alias: "n", description: "how many at most (50)" },
    offset: { type: "string", number: true, description: "how many of the newest to leave out" },
  },
  async run({ cli, args }) {
    const { type, server, tool, status, session, since, until, limit, offset } = args;
    const asked = {
      type,
      server,
      tool,
      status,
      session_id: session,
      request_id: args["request-id"],
      start_time: since,
      end_time: until,
      limit: limit === undefined ? undefined : String(limit),
      offset: offset === undefined ? undefined : String(offset),
    };
    const query = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    const page = await cli.call("GET /api/v1/activity", { query });
    await cli.show(page.activities, (activities) => ({
      columns: ["time", "id", "type", "about", "status", "ms", "by", "error"],
      rows: activities.map((a) => [
        a.timestamp,
        a.id,
        a.type,
        [a.server_name, a.tool_name].filter(Boolean).join(":"),
        a.status,
        a.duration_ms,
        a.actor,
        a.error_message,
      ]),
      empty: "nothing happened yet",
    }));
  },
});
