import type { Api } from "#handlers/routes.gen.ts";
import type { ArgsOf } from "#lib/client/client.ts";
import type { ServerRecord } from "#lib/core/schema/server-record.ts";
import { pendingDecisionsText } from "#lib/core/verbs/servers/pending-decisions.ts";
import { verdictText } from "#lib/modules/scan/rules/verdict-text.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { quoted } from "../../self.ts";
import { WATCH, watch } from "../../watch.ts";

export default command({
  meta: {
    description: "List upstream servers with their status",
    examples: ["proxy upstream list --level unhealthy", "proxy upstream list --sort -tool_count -n 10"],
  },
  args: {
    level: {
      type: "enum",
      valueHint: "level",
      options: ["healthy", "degraded", "unhealthy"],
      description: "only servers of this health level",
    },
    state: {
      type: "enum",
      valueHint: "state",
      options: ["enabled", "disabled", "quarantined"],
      description: "only servers in this administrative state",
    },
    match: {
      type: "string",
      valueHint: "words",
      description: "only servers with these words in name, command or address",
    },
    sort: {
      type: "string",
      valueHint: "what",
      description:
        "such as name, tool_count or health.level; -tool_count for descending order (what needs attention first)",
    },
    limit: { type: "string", number: true, alias: "n", description: "maximum number of entries (all)" },
    ...WATCH,
  },
  async run({ cli, args }) {
    const { level, state: admin_state, match: q, sort, limit } = args;
    const most = limit === undefined ? undefined : Math.max(1, Number(limit));
    // Sorting by urgency needs all servers.
    const query = {
      level,
      admin_state,
      q,
      sort,
      limit: sort === undefined || most === undefined ? undefined : String(most),
    };
    if (args.watch) {
      await watch(cli, { on: ["servers.changed"] }, async (screen) => void (await show(screen, query, most)));
      return;
    }
    const waiting = pendingDecisionsText(await show(cli, query, most));
    if (waiting !== undefined) cli.note(`${waiting}; see: ${cli.self} review`);
  },
});

/** @returns the number of waiting reviews */
async function show(
  cli: Cli,
  query: NonNullable<ArgsOf<Api["GET /api/v1/servers"]>["query"]>,
  most = Number.POSITIVE_INFINITY,
) {
  const { servers: found, total, stats } = await cli.call("GET /api/v1/servers", { query });
  const ordered = query.sort === undefined ? [...found].sort((a, b) => urgency(a) - urgency(b)) : found;
  const servers = most < found.length ? ordered.slice(0, most) : found;
  if (servers.length < total) cli.note(`${total - servers.length} more; show them with a higher --limit`);
  await cli.show(servers, () => ({
    columns: ["name", "state", "tools", "health", "do next", "protocol"],
    whole: ["name", "do next"],
    leaveOut: ["protocol", "tools", "health", "do next"],
    rows: ordered.slice(0, most).map((s) => [s.name, stateOf(s), s.tool_count, healthOf(s), next(s), s.protocol]),
    empty:
      stats.total_servers > 0
        ? "no matching servers"
        : `no servers; add one with: ${cli.self} upstream add <name> -- <command>`,
  }));
  return stats.waiting;
}

/** Sort order: unhealthy servers first, then those that wait for review, dangerous ones before others. */
function urgency(s: ServerRecord): number {
  if (s.health.level !== "healthy") return s.health.level === "unhealthy" ? 0 : 1;
  if (!waits(s)) return 4;
  return s.scan?.verdict === "dangerous" ? 2 : 3;
}

const waits = ({ health }: ServerRecord) => health.action === "approve" || health.admin_state === "quarantined";

/** The health summary, with the verdict of the scan if the server waits for a decision. */
function healthOf(s: ServerRecord): string {
  const { summary } = s.health;
  return waits(s) && s.scan && s.scan.verdict !== "clean" ? `${verdictText(s.scan)}: ${summary}` : summary;
}

function stateOf(s: { enabled: boolean; quarantined: boolean; status: string }): string {
  if (!s.enabled) return "disabled";
  return s.quarantined ? `${s.status}, quarantined` : s.status;
}

const COMMANDS: Record<string, string> = {
  approve: "review",
  enable: "upstream enable",
  login: "upstream login",
  configure: "upstream patch",
  restart: "upstream restart",
  view_logs: "upstream logs",
};

/** The remedy of its health, as a command if there is one. */
function next(s: ServerRecord): string {
  const { action, detail = "" } = s.health;
  if (s.held) return `upstream confirm ${quoted(s.name)}`;
  if (action === "set_secret") return setSecret(detail);
  const words = COMMANDS[action];
  return words === undefined ? action.replaceAll("_", " ") : `${words} ${quoted(s.name)}`;
}

/** @param detail the reference without a value */
function setSecret(detail: string): string {
  const [, kind, name = ""] = /\$\{(keyring|env):([^}]*)\}/.exec(detail) ?? [];
  if (kind === "keyring") return `secrets set ${quoted(name)}`;
  return kind === "env" ? `set ${name} in the proxy's environment` : "set secret";
}
