import { stringify } from "yaml";
import { command } from "../../command.ts";

export default command({
  meta: { description: "Show one session: who it is, how it came in, what it did" },
  args: { id: { type: "positional", description: "as `proxy sessions list` shows it" } },
  async run({ cli, args }) {
    const { session } = await cli.call("GET /api/v1/sessions/{id}", { params: { id: args.id } });
    await cli.show(session, (record) => stringify(record, { lineWidth: 0 }).trimEnd());
  },
});
