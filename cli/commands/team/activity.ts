import { command } from "../../command.ts";
import { userId } from "../../user-id.ts";

export default command({
  meta: { description: "List the activity of users, newest first" },
  args: {
    user: { type: "string", valueHint: "address", description: "only this user, by e-mail address or id" },
    limit: { type: "string", number: true, alias: "n", description: "maximum number of entries (50)" },
  },
  async run({ cli, args: { user, limit } }) {
    const query = {
      ...(user !== undefined && { user_id: await userId(cli, user) }),
      ...(limit !== undefined && { limit: String(limit) }),
    };
    const { items } = await cli.call("GET /api/v1/admin/activity", { query });
    await cli.show(items, () => ({
      columns: ["time", "who", "type", "server", "tool", "status", "id"],
      whole: ["id"],
      rows: items.map((one) => [
        one.timestamp,
        one.actor,
        one.type,
        one.server_name,
        one.tool_name,
        one.status,
        one.id,
      ]),
      empty: "no matching records",
    }));
  },
});
