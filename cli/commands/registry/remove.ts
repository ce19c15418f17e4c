import { command } from "../../command.ts";
import { confirmRemoval, noteWayBack, YES_ARG } from "../../confirm-removal.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: { description: "Remove an added registry; servers installed from it stay" },
  args: { id: { type: "positional", names: "registries", description: "id from `proxy registry list`" }, ...YES_ARG },
  async run({ cli, args: { id, yes } }) {
    if (!(await confirmRemoval(cli, `Remove registry "${id}"?`, yes))) return EXIT.failed;
    const done = await cli.call("DELETE /api/v1/registries/{id}", { params: { id } });
    await cli.show(done, () => `removed registry ${id}`);
    await noteWayBack(cli);
    return EXIT.ok;
  },
});
