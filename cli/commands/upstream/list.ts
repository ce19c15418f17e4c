import { waitingText } from "#lib/servers/waiting.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { quoted } from "../../self.ts";
import { WATCH, watch } from "../../watch.ts";

export default command({
  meta: { description: "List the upstream servers and how they are" },
  args: WATCH,
  async run({ cli, args }) {
    if (args.watch) return watch(cli, { on: ["servers.changed"] }, show);
    await show(cli);
  },
});

async function show(cli: Cli): Promise<void> {
  const { servers, stats } = await cli.call("GET /api/v1/servers", {});
  await cli.show(servers, () => ({
    columns: ["name", "state", "tools", "health", "do next", "protocol"],
    whole: ["name", "do next"],
    rows: [...servers]
      .sort((a, b) => urgency(a) - urgency(b))
      .map((s) => [s.name, stateOf(s), s.tool_count, s.health.summary, next(s), s.protocol]),
    empty: `no servers yet; add one with: ${cli.self} upstream add <name> -- <command>`,
  }));
  const text = waitingText(stats.waiting);
  if (text !== undefined) cli.note(`${text}; see: ${cli.self} review`);
}

/** What does not work comes first, then what waits for a person; the rest in the configuration's order. */
function urgency({ health }: { health: { level: string; action: string; admin_state: string } }): number {
  if (health.level !== "healthy") return health.level === "unhealthy" ? 0 : 1;
  return health.action === "approve" || health.admin_state === "quarantined" ? 2 : 3;
}

function stateOf(s: { enabled: boolean; quarantined: boolean; status: string }): string {
  if (!s.enabled) return "disabled";
  return s.quarantined ? `${s.status}, quarantined` : s.status;
}

const COMMANDS: Record<string, string> = {
  approve: "tools list -s",
  enable: "upstream enable",
  login: "upstream login",
  configure: "upstream patch",
  restart: "upstream restart",
  view_logs: "upstream logs",
};

/** The remedy that its health names, as the words of a command where there is one. */
function next(s: {
  name: string;
  quarantined: boolean;
  held?: true | undefined;
  health: { action: string; detail?: string | undefined };
}): string {
  const { action, detail = "" } = s.health;
  if (s.held) return `upstream confirm ${quoted(s.name)}`;
  if (action === "set_secret") return setSecret(detail);
  const words = s.quarantined && action === "approve" ? "upstream unquarantine" : COMMANDS[action];
  return words === undefined ? action.replaceAll("_", " ") : `${words} ${quoted(s.name)}`;
}

/** @param detail the reference without a value */
function setSecret(detail: string): string {
  const [, kind, name = ""] = /\$\{(keyring|env):([^}]*)\}/.exec(detail) ?? [];
  if (kind === "keyring") return `secrets set ${quoted(name)}`;
  return kind === "env" ? `set ${name} in the proxy's environment` : "set secret";
}
