import { command } from "../../command.ts";

export default command({
  meta: { description: "Revoke an agent token at once; its record is kept" },
  args: { name: { type: "positional", names: "tokens", description: "token name" } },
  async run({ cli, args }) {
    const { token } = await cli.call("DELETE /api/v1/tokens/{name}", { params: { name: args.name } });
    await cli.show(token, () => `revoked ${args.name}`);
  },
});
