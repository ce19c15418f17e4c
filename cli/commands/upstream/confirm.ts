import { escapeInvisible } from "#lib/core/base/excerpt.ts";
import { askYes, isTerminal } from "../../ask.ts";
import { command } from "../../command.ts";
import { definitionText } from "../../definition-text.ts";
import { EXIT, UsageError } from "../../exit.ts";
import { noteNextSteps } from "../../next-steps.ts";

export default command({
  meta: {
    description: "Confirm a server that was added or changed over MCP, to start it for review",
    detail:
      "Shows the full command line or address, with secrets masked, and asks for confirmation. The server stays quarantined: its tools cannot be called until it is released.",
    examples: ["proxy upstream confirm git", "proxy upstream confirm git --yes"],
  },
  args: {
    name: { type: "positional", names: "servers", description: "server name" },
    yes: { type: "boolean", alias: "y", description: "confirm without asking" },
  },
  async run({ cli, args: { name, yes } }) {
    const server = await cli.call("GET /api/v1/servers/{name}", { params: { name } });
    if (server.held !== true) {
      cli.note(`server "${server.name}" is not held; nothing was changed`);
      return EXIT.ok;
    }
    cli.note(
      `server "${escapeInvisible(server.name)}" was added or changed over MCP and is held. It would use:\n${definitionText(server)}`,
    );
    if (yes !== true) {
      if (!isTerminal(cli)) throw new UsageError("cannot ask without a terminal; add --yes to confirm");
      if (!(await askYes("Start this server for review?", cli))) {
        cli.note("not confirmed; the server stays held");
        return EXIT.failed;
      }
    }
    const done = await cli.call("POST /api/v1/servers/{name}/confirm", {
      params: { name },
      body: { revision: server.revision },
    });
    await cli.show(done, ({ message }) => message);
    await noteNextSteps(cli, name);
    return EXIT.ok;
  },
});
