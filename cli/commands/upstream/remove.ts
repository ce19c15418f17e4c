import { RestError } from "#lib/client/error.ts";
import { askYes, isTerminal } from "../../ask.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { EXIT } from "../../exit.ts";

export default command({
  meta: {
    description: "Remove an upstream server",
    detail:
      "Asks for confirmation on a terminal. The proxy keeps the approvals and blocks of its tools and applies them if the same server is added again. --forget deletes them, even for a server that was removed before.",
  },
  args: {
    name: { type: "positional", description: "server name" },
    forget: { type: "boolean", description: "also delete the approvals and blocks of its tools" },
    "if-exists": { type: "boolean", description: "succeed if no server of this name exists" },
    yes: { type: "boolean", alias: "y", description: "remove without asking" },
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
      cli.note(`server ${name} does not exist; nothing was changed`);
    }
    return EXIT.ok;
  },
});

/**
 * The command that restores the previous configuration. The newest version in the history is the current configuration,
 * and the next one is that before the removal.
 */
async function wayBack(cli: Cli): Promise<string> {
  const { versions } = await cli.call("GET /api/v1/config/history", {});
  const before = versions[1];
  if (!before) return `there is no earlier configuration; see: ${cli.self} config history`;
  return `undo with: ${cli.self} config restore ${before.version}`;
}
