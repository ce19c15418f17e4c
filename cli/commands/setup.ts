import { canReplaceEntries } from "#lib/client/setup/movable-entries.ts";
import { systemClock } from "#lib/core/base/clock.ts";
import { nearestWords } from "#lib/core/base/nearest.ts";
import { plural } from "#lib/core/base/plural.ts";
import type { ClientSurvey } from "#lib/core/schema/client-survey.ts";
import { askText } from "../ask-secret.ts";
import { runningProxy } from "../background/running.ts";
import { startInBackground } from "../background/start.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { serviceAct } from "../service/act.ts";
import { installedService } from "../service/installed.ts";
import { type ClientChange, type ConnectedClient, connectClients } from "../setup/connect-clients.ts";
import { type Decisions, decisionsOf } from "../setup/decisions.ts";
import { importRows } from "../setup/import-rows.ts";
import { reviewServers } from "../setup/review-servers.ts";
import { setupSummary } from "../setup/summary.ts";
import { surveyTable } from "../setup/survey-table.ts";
import { waitForTools } from "../setup/wait-for-tools.ts";
import { renderTable } from "../table.ts";

export default command({
  meta: {
    group: "run",
    description: "Set up the proxy: import the servers of your MCP clients, review them, connect the clients",
    detail: `Finds the configuration of every MCP client on this machine and shows each server once. Then it imports all or some, stores secrets outside the configuration, shows the tools for review, and connects the clients. It starts the proxy in the background if none runs. Nothing changes before you decide.
Without a terminal, flags decide: --all or --only, --yes, and --connect or --move; without --all and --only it only shows what it found.`,
    examples: [
      "proxy setup",
      "proxy setup --dry-run",
      "proxy setup --all --yes --move",
      "proxy setup --only git,jira --client cursor --connect",
    ],
  },
  args: {
    all: { type: "boolean", description: "import every server that is not broken" },
    only: {
      type: "string",
      names: "servers",
      valueHint: "names",
      description: "import only these servers, comma-separated",
    },
    client: {
      type: "string",
      names: "clients",
      valueHint: "ids",
      description: "use only these clients, comma-separated (all that have a configuration)",
    },
    yes: {
      type: "boolean",
      alias: "y",
      description: "approve the tools and release the servers that have no severe findings",
    },
    connect: { type: "boolean", description: "add the proxy to the clients; --no-connect: leave them as they are" },
    move: { type: "boolean", description: "also remove the clients' own entries of the servers that are released" },
    "keep-secrets": { type: "boolean", description: "leave secrets in plain text in the configuration" },
    "dry-run": { type: "boolean", description: "only show what was found" },
  },
  async run({ cli, args }) {
    const from = systemClock.now();
    const decisions = decisionsOf(cli);
    await ensureRunning(cli);
    const survey = ofClients(await cli.call("GET /api/v1/servers/import/survey", {}), listOf(args.client));
    const decides = args.all === true || args.only !== undefined || decisions.canAsk;
    if (args["dry-run"] || !decides || survey.servers.length === 0) {
      await cli.show(survey, surveyTable);
      noteUnread(cli, survey);
      if (!args["dry-run"] && survey.servers.length > 0)
        cli.note("nothing was changed; to import the servers add --all, or --only with names");
      return;
    }
    // The result is printed at the end; until then, standard output stays empty.
    cli.note(tableText(cli, survey));
    noteUnread(cli, survey);
    const rows = await chosenRows(cli, survey, args, decisions);
    const change = rows.length === 0 ? "nothing" : await chosenChange(survey, args, decisions);
    const imported = await importRows(cli, survey, rows, { keepSecrets: args["keep-secrets"] === true });
    const servers = await waitForTools(cli, imported.names);
    const released = await reviewServers(cli, servers, { decisions, yes: args.yes === true });
    const working = servers.filter(({ tool_count, enabled }) => tool_count > 0 || !enabled).map(({ name }) => name);
    const clients: ConnectedClient[] = await connectClients(cli, survey, {
      change,
      available: await availableServers(cli, rows, released),
    });
    const result = {
      imported: imported.names,
      failed: imported.failed,
      secrets_stored: imported.secretCount,
      released,
      not_working: servers
        .filter(({ name }) => !working.includes(name))
        .map(({ name, last_error }) => ({ name, error: last_error ?? "" })),
      clients,
      decisions: decisions.count(),
      seconds: Math.round((systemClock.now() - from) / 1000),
    };
    await cli.show(result, () => setupSummary(cli, result, change));
    const isPartial = imported.failed.length > 0 || clients.some(({ error }) => error !== undefined);
    return isPartial ? EXIT.failed : EXIT.ok;
  },
});

interface SetupFlags {
  all: boolean | undefined;
  only: string | undefined;
  connect: boolean | undefined;
  move: boolean | undefined;
}

type Row = ClientSurvey["servers"][number];

async function ensureRunning(cli: Cli): Promise<void> {
  if (cli.globals.url || cli.env.SERVICE_URL || (await runningProxy(cli))) return;
  const service = await installedService(cli);
  const { listenAddr } = service ? await serviceAct(cli, service, "start") : await startInBackground(cli, []);
  cli.note(`started the proxy${listenAddr && ` at ${listenAddr}`}; stop it with: ${cli.self} down`);
}

const listOf = (text: string | undefined) => text?.split(",").flatMap((word) => word.trim() || []);

/** The part of a survey that concerns some clients. @throws UsageError for a client without a configuration */
function ofClients({ clients, servers }: ClientSurvey, ids: readonly string[] | undefined): ClientSurvey {
  if (ids === undefined) return { clients, servers };
  const unknown = ids.find((id) => !clients.some(({ client }) => client === id));
  if (unknown !== undefined)
    throw new UsageError(
      `"${unknown}" has no configuration on this machine; found: ${clients.map(({ client }) => client).join(", ") || "none"}`,
    );
  const rows = servers.map((row) => ({ ...row, entries: row.entries.filter(({ client }) => ids.includes(client)) }));
  return {
    clients: clients.filter(({ client }) => ids.includes(client)),
    servers: rows.filter(({ entries }) => entries.length > 0),
  };
}

function tableText(cli: Cli, survey: ClientSurvey): string {
  const { columns } = cli.stderr;
  return renderTable(surveyTable(survey), columns === undefined ? undefined : { columns, now: systemClock.now() });
}

function noteUnread(cli: Cli, { clients }: ClientSurvey): void {
  for (const { name, config_path: path, error } of clients)
    if (error !== undefined) cli.note(`the configuration of ${name} was not read (${path}): ${error}`);
}

/** The servers to import, and those that the proxy has already. */
async function chosenRows(
  cli: Cli,
  { servers }: ClientSurvey,
  { all, only }: SetupFlags,
  decisions: Decisions,
): Promise<Row[]> {
  const usable = servers.filter(({ problem }) => problem === undefined);
  const names = listOf(only) ?? (all ? undefined : await askedNames(cli, servers, usable, decisions));
  if (names === undefined) return usable;
  const unknown = names.find((name) => !servers.some((row) => row.name === name));
  if (unknown !== undefined)
    throw new UsageError(
      `no client has a server "${unknown}"`,
      nearestWords(
        unknown,
        servers.map(({ name }) => name),
        2,
      ),
    );
  return servers.filter(({ name }) => names.includes(name));
}

/** The names that a person chooses; undefined for all that are not broken. */
async function askedNames(
  cli: Cli,
  servers: readonly Row[],
  usable: readonly Row[],
  decisions: Decisions,
): Promise<string[] | undefined> {
  const broken = servers.length - usable.length;
  const question = `Import ${plural(usable.length, "server")}${broken > 0 ? ` (without the ${broken} broken)` : ""}? They start for review, and no client can use them yet.`;
  const answer = await decisions.choose(question, ["all", "some", "none"], "none");
  if (answer === "all") return undefined;
  if (answer === "none") return [];
  decisions.add(1);
  return listOf(await askText("names, comma-separated", cli)) ?? [];
}

/** Names of the chosen servers for which the proxy can stand in now. */
async function availableServers(cli: Cli, rows: readonly Row[], released: readonly string[]): Promise<Set<string>> {
  const { servers } = await cli.call("GET /api/v1/servers", {});
  // A server that was just released may be connecting again.
  const can = new Set([...released, ...servers.filter(canReplaceEntries).map(({ name }) => name)]);
  return new Set(rows.map(({ name }) => name).filter((name) => can.has(name)));
}

async function chosenChange(
  survey: ClientSurvey,
  { connect, move }: SetupFlags,
  decisions: Decisions,
): Promise<ClientChange> {
  if (move) return "move";
  if (connect !== undefined) return connect ? "connect" : "nothing";
  const names = survey.clients.filter(({ error }) => error === undefined).map(({ name }) => name);
  if (names.length === 0) return "nothing";
  const question = `Connect ${names.join(", ")} to the proxy? "move" also removes ${names.length === 1 ? "its" : "their"} own entries of the servers that you release, so that each tool appears once and every call is reviewed and logged. Each file is backed up, and \`connect undo\` restores it.`;
  return decisions.choose(question, ["move", "connect", "nothing"], "nothing");
}
