import { stringify } from "yaml";
import { command } from "../../command.ts";

export default command({
  meta: { description: "Show one agent token, without its secret" },
  args: { name: { type: "positional", names: "tokens", description: "token name" } },
  async run({ cli, args }) {
    const { token } = await cli.call("GET /api/v1/tokens/{name}", { params: { name: args.name } });
    await cli.show(token, (record) => stringify(record, { lineWidth: 0 }).trimEnd());
  },
});
