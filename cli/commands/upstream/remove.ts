import { RestError } from "#lib/client/error.ts";
import { command } from "../../command.ts";
import { confirmRemoval, noteWayBack, YES_ARG } from "../../confirm-removal.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: {
    description: "Remove an upstream server",
    detail:
      "Asks for confirmation on a terminal. The proxy keeps the approvals and blocks of its tools and applies them if the same server is added again. --forget deletes them, even for a server that was removed before.",
  },
  args: {
    name: { type: "positional", names: "servers", description: "server name" },
    forget: { type: "boolean", description: "also delete the approvals and blocks of its tools" },
    "if-exists": { type: "boolean", description: "succeed if no server of this name exists" },
    ...YES_ARG,
  },
  async run({ cli, args }) {
    const { name } = args;
    if (!(await confirmRemoval(cli, `Remove "${name}"?`, args.yes))) return EXIT.failed;
    try {
      const done = await cli.call("DELETE /api/v1/servers/{name}", {
        params: { name },
        query: { forget: args.forget ? "true" : "false" },
      });
      await cli.show(done, () => `removed ${name}`);
      await noteWayBack(cli);
    } catch (error) {
      if (!args["if-exists"] || !(error instanceof RestError) || error.status !== 404) throw error;
      cli.note(`server ${name} does not exist; nothing was changed`);
    }
    return EXIT.ok;
  },
});
