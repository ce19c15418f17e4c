import { command } from "../../command.ts";
import { confirmRemoval, YES_ARG } from "../../confirm-removal.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: { description: "Remove a stored secret" },
  args: {
    name: { type: "positional", names: "secrets", description: "name of the secret" },
    force: { type: "boolean", description: "remove the secret even if the configuration refers to it" },
    ...YES_ARG,
  },
  async run({ cli, args: { name, force, yes } }) {
    if (!(await confirmRemoval(cli, `Remove secret "${name}"? This cannot be undone.`, yes))) return EXIT.failed;
    const query = { force: force ? "true" : "false" } as const;
    const done = await cli.call("DELETE /api/v1/secrets/{name}", { params: { name }, query });
    await cli.show(done, ({ message }) => message);
    return EXIT.ok;
  },
});
