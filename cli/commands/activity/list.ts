import { command } from "../../command.ts";

export default command({
  about: "List what happened, newest first: calls, blocks, changes",
  flags: {
    type: {
      type: "string",
      short: "t",
      hint: "types",
      about: "such as tool_call or policy_decision; several with commas",
    },
    server: { type: "string", short: "s", hint: "name", about: "only about this server" },
    tool: { type: "string", hint: "name", about: "only about tools of this name" },
    status: { type: "string", hint: "status", about: "success, error, blocked or rejected" },
    session: { type: "string", hint: "id", about: "only of this MCP session" },
    "request-id": { type: "string", hint: "id", about: "only of this request" },
    since: { type: "string", hint: "time", about: "after this time, such as 2026-01-31T09:30:00Z" },
    until: { type: "string", hint: "time", about: "before this time" },
    limit: { type: "number", short: "n", about: "how many at most (50)" },
    offset: { type: "number", about: "how many of the newest to leave out" },
  },
  async run({ cli, flags }) {
    const { type, server, tool, status, session, since, until, limit, offset } = flags;
    const asked = {
      type,
      server,
      tool,
      status,
      session_id: session,
      request_id: flags["request-id"],
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
