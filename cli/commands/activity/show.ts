import { stringify } from "yaml";
import { command } from "../../command.ts";

export default command({
  meta: { description: "Show one record in full, with arguments and response" },
  args: { id: { type: "positional", description: "as `proxy activity list` shows it" } },
  async run({ cli, args }) {
    const { activity } = await cli.call("GET /api/v1/activity/{id}", { params: { id: args.id } });
    await cli.show(activity, (record) => stringify(record, { lineWidth: 0 }).trimEnd());
  },
});
