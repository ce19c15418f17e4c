import { command } from "../../command.ts";
import { confirmRemoval, YES_ARG } from "../../confirm-removal.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: { description: "Remove a passkey and sign out the browsers that signed in with it" },
  args: { id: { type: "positional", description: "id from `proxy passkey list`" }, ...YES_ARG },
  async run({ cli, args }) {
    if (!(await confirmRemoval(cli, `Remove passkey "${args.id}"?`, args.yes))) return EXIT.failed;
    const removed = await cli.call("DELETE /api/v1/passkeys/{id}", { params: { id: args.id } });
    await cli.show(removed, ({ name }) => `removed ${name}`);
    return EXIT.ok;
  },
});
