import { stringify } from "yaml";
import { command } from "../../command.ts";

export default command({
  meta: { description: "Show one session: client, caller, endpoint and calls" },
  args: { id: { type: "positional", description: "id from `proxy sessions list`" } },
  async run({ cli, args }) {
    const { session } = await cli.call("GET /api/v1/sessions/{id}", { params: { id: args.id } });
    await cli.show(session, (record) => stringify(record, { lineWidth: 0 }).trimEnd());
  },
});
