import type { ReadStream } from "node:tty";
import { visible } from "#lib/scan/excerpt.ts";
import type { ServerRecord } from "#lib/shape/server-record.ts";
import { askText } from "../../ask-secret.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { EXIT, UsageError } from "../../exit.ts";
import { quoted } from "../../self.ts";

export default command({
  meta: {
    description: "Confirm a server that was added or changed over MCP, so that it is started for review",
    detail:
      "Shows the full command line or address first and asks. Secrets are masked. The server stays quarantined: none of its tools can be called before it is released.",
    examples: ["proxy upstream confirm git", "proxy upstream confirm git --yes"],
  },
  args: {
    name: { type: "positional", description: "server name" },
    yes: { type: "boolean", alias: "y", description: "confirm without being asked" },
  },
  async run({ cli, args: { name, yes } }) {
    const server = await cli.call("GET /api/v1/servers/{name}", { params: { name } });
    if (server.held !== true) {
      cli.note(`server "${server.name}" is not held; nothing was changed`);
      return EXIT.ok;
    }
    cli.note(definitionText(server));
    if (yes !== true) {
      if (!isTerminal(cli)) throw new UsageError("there is no terminal to ask at; add --yes to confirm");
      const answer = await askText("Start this server for review? [y/N]", cli);
      if (!/^y(es)?$/i.test(answer.trim())) {
        cli.note("not confirmed; the server stays held");
        return EXIT.failed;
      }
    }
    const done = await cli.call("POST /api/v1/servers/{name}/confirm", {
      params: { name },
      body: { revision: server.revision },
    });
    await cli.show(done, ({ message }) => message);
    cli.note(
      `Look at its tools: ${cli.self} tools list -s ${quoted(name)}\nRelease it:        ${cli.self} upstream unquarantine ${quoted(name)}`,
    );
    return EXIT.ok;
  },
});

/** What would be run or contacted, one line each; invisible characters are written out. */
function definitionText(server: ServerRecord): string {
  const { command, args = [], url, protocol, working_dir, env = {}, headers = {}, oauth, isolation } = server;
  const lines: [label: string, value: string | undefined][] = [
    ["command", command === undefined ? undefined : [command, ...args].map(quoted).join(" ")],
    ["address", url],
    ["protocol", protocol],
    ["folder", working_dir],
    ["environment", Object.keys(env).join(", ") || undefined],
    ["headers", Object.keys(headers).join(", ") || undefined],
    ["sign-in", oauth && JSON.stringify(oauth)],
    ["isolation", isolation && JSON.stringify(isolation)],
  ];
  const shown = lines.flatMap(([label, value]) =>
    value === undefined ? [] : [`  ${`${label}:`.padEnd(13)}${visible(value)}`],
  );
  return [`server "${visible(server.name)}" was added or changed over MCP and is held. It would use:`, ...shown].join(
    "\n",
  );
}

const isTerminal = ({ stdin }: Cli) => (stdin as Partial<ReadStream>).isTTY === true;
