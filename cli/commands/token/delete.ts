import { command } from "../../command.ts";

export default command({
  meta: { description: "Revoke an agent token at once and delete its record" },
  args: { name: { type: "positional", description: "token name" } },
  async run({ cli, args }) {
    const done = await cli.call("DELETE /api/v1/tokens/{name}/permanent", { params: { name: args.name } });
    await cli.show(done, () => `deleted ${args.name}`);
  },
});
