import { stringify } from "yaml";
import { command } from "../../command.ts";

export default command({
  meta: { description: "Show one activity record with its arguments and response" },
  args: { id: { type: "positional", description: "id from `proxy activity list`" } },
  async run({ cli, args }) {
    const { activity } = await cli.call("GET /api/v1/activity/{id}", { params: { id: args.id } });
    await cli.show(activity, (record) => stringify(record, { lineWidth: 0 }).trimEnd());
  },
});
