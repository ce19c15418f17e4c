import { RestError } from "#lib/client/error.ts";
import { askYes, isTerminal } from "../../ask.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: {
    description: "Remove an upstream server",
    detail:
      "Asks first at a terminal. Approvals and blocks of its tools are remembered: when the same server returns they hold again. --forget drops them, also of a server that was removed before.",
  },
  args: {
    name: { type: "positional", description: "server name" },
    forget: { type: "boolean", description: "also forget the approvals and blocks of its tools" },
    "if-exists": { type: "boolean", description: "succeed when there is none of this name" },
    yes: { type: "boolean", alias: "y", description: "remove without being asked" },
  },
  async run({ cli, args }) {
    const { name } = args;
    if (!args.yes && isTerminal(cli) && !(await askYes(`Remove "${name}"?`, cli))) {
      cli.note("not removed");
      return EXIT.failed;
    }
    try {
      const done = await cli.call("DELETE /api/v1/servers/{name}", {
        params: { name },
        query: { forget: args.forget ? "true" : "false" },
      });
      await cli.show(done, () => `removed ${name}`);
      cli.note(await wayBack(cli));
    } catch (error) {
      if (!args["if-exists"] || !(error instanceof RestError) || error.status !== 404) throw error;
      cli.note(`there is no server ${name}; nothing was changed`);
    }
    return EXIT.ok;
  },
});

/** The newest version of the history is the present configuration, the one after it that before the removal. */
async function wayBack(cli: Cli): Promise<string> {
  const { versions } = await cli.call("GET /api/v1/config/history", {});
  const before = versions[1];
  if (!before) return `no earlier configuration is kept; see: ${cli.self} config history`;
  return `take it back with: ${cli.self} config restore ${before.version}`;
}
