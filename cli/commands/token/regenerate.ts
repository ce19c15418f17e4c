import { command } from "../../command.ts";

export default command({
  meta: { description: "Give an agent token a new secret; the old one ends at once" },
  args: { name: { type: "positional", description: "token name" } },
  async run({ cli, args }) {
    const { name } = args;
    const issued = await cli.call("POST /api/v1/tokens/{name}/regenerate", { params: { name } });
    cli.note(`token ${name} lasts until ${issued.expires_at}; keep it now, it is not shown again:`);
    await cli.show(issued, () => issued.token);
  },
});
