import { command } from "../../command.ts";
import { confirmRemoval, YES_ARG } from "../../confirm-removal.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: { description: "Revoke an agent token at once and delete its record" },
  args: { name: { type: "positional", names: "tokens", description: "token name" }, ...YES_ARG },
  async run({ cli, args }) {
    const question = `Delete token "${args.name}" and its record? This cannot be undone.`;
    if (!(await confirmRemoval(cli, question, args.yes))) return EXIT.failed;
    const done = await cli.call("DELETE /api/v1/tokens/{name}/permanent", { params: { name: args.name } });
    await cli.show(done, () => `deleted ${args.name}`);
    return EXIT.ok;
  },
});
