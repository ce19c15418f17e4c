import { command } from "../../command.ts";

export default command({
  meta: { description: "Replace the secret of an agent token; the old one is revoked at once" },
  args: { name: { type: "positional", names: "tokens", description: "token name" } },
  async run({ cli, args }) {
    const { name } = args;
    const issued = await cli.call("POST /api/v1/tokens/{name}/regenerate", { params: { name } });
    cli.note(`token ${name} is valid until ${issued.expires_at}; store it now, it is not shown again:`);
    await cli.show(issued, () => issued.token);
  },
});
