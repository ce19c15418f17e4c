import type { App } from "../../../core/app.ts";
import { Fault, reasonOf } from "../../../core/base/fault.ts";
import { childEnvironment } from "../../../core/config/child-environment.ts";
import type { ServerConfig } from "../../../core/config/config-keys.ts";
import type { Actor } from "../../../core/schema/caller.ts";
import type { ClientSurvey } from "../../../core/schema/client-survey.ts";
import { maskServer } from "../../../core/secrets/mask/server.ts";
import { mayManage } from "../../../core/verbs/servers/may-manage.ts";
import { mergeServer } from "../../../core/verbs/servers/merge.ts";
import { clearSecrets } from "../../vault/clear.ts";
import { clientFiles, readConfiguration } from "./files.ts";
import { findServers } from "./find.ts";
import { self } from "./import.ts";
import { isOurs } from "./ours.ts";
import { type Planned, plan } from "./plan.ts";
import { programExists } from "./program-exists.ts";

type Row = ClientSurvey["servers"][number];
type ClientRow = ClientSurvey["clients"][number];

/** Maximum number of servers in a survey. */
const MAX_SERVERS = 1000;

/**
 * Reads the configurations of all clients on this machine and returns every server once, under the name that an import
 * would give it. Nothing is changed, and no server is started.
 *
 * @throws Fault mcp_only_admin, management_disabled
 */
export async function surveyClients(app: App, by: Actor): Promise<ClientSurvey> {
  mayManage(app, by, "add");
  const files = (await clientFiles(app.boot.machine)).filter(({ exists }) => exists);
  const clients: ClientRow[] = [];
  const rows = new Map<string, Row>();
  /** The servers found so far, with which the next client's entries are compared. */
  const known: ServerConfig[] = [...app.config.current().mcpServers];
  for (const { format: client, name, path } of files) {
    const row = { client, name, config_path: path, connected: false, server_count: 0 };
    try {
      const text = await readConfiguration(path);
      clients.push({ ...row, ...(await surveyClient(app, client, text, { rows, known })) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      clients.push({ ...row, error: reasonOf(error) });
    }
  }
  return { clients, servers: [...rows.values()] };
}

async function surveyClient(
  app: App,
  client: string,
  text: string,
  { rows, known }: { rows: Map<string, Row>; known: ServerConfig[] },
): Promise<Pick<ClientRow, "connected" | "server_count">> {
  const ours = self(app);
  // Entries of single projects stay where they are.
  const entries = findServers(text, client).entries.filter(({ project }) => project === undefined);
  let connected = false;
  let server_count = 0;
  for (const entry of entries) {
    if (rows.size >= MAX_SERVERS) break;
    if (isOurs(entry.reach, ours)) {
      connected = true;
      continue;
    }
    server_count++;
    const found = { client, name: entry.name };
    const { add, skip } = plan([entry], known, {}, ours);
    const [twin] = skip.flatMap(({ twin }) => twin ?? []);
    if (twin !== undefined) {
      const row = rows.get(twin) ?? configuredRow(known.find(({ name }) => name === twin));
      if (row) rows.set(twin, { ...row, entries: [...row.entries, found] });
      continue;
    }
    const [planned = renamed()] = add;
    if (planned) rows.set(planned.server.name, await rowOf(app, planned, known, found));

    function renamed(): Planned | undefined {
      const free = freeName(`${entry.name}-${client}`, known);
      return plan([entry], known, { rename: { [entry.name]: free } }, ours).add[0];
    }
  }
  return { connected, server_count };
}

/** The row of a planned server, which from now on is known. */
async function rowOf(
  app: App,
  { server, remarks }: Planned,
  known: ServerConfig[],
  found: Row["entries"][number],
): Promise<Row> {
  const { name, ...fields } = server;
  const config = { name, enabled: true, ...fields } as ServerConfig;
  known.push(config);
  const problem = validity(config) ?? (await missingProgram(app, config));
  const { command, args, url } = maskServer(config);
  return {
    name,
    configured: false,
    enabled: config.enabled,
    ...(command !== undefined && { command, args: [...(args ?? [])] }),
    ...(url !== undefined && { url }),
    entries: [found],
    secrets: clearSecrets(server).map(({ field }) => field),
    ...(problem !== undefined && { problem }),
    warnings: [...remarks],
  };
}

function configuredRow(config: ServerConfig | undefined): Row | undefined {
  if (!config) return undefined;
  const { name, enabled, command, args, url } = maskServer(config);
  return {
    name,
    configured: true,
    enabled,
    ...(command !== undefined && { command, args: [...(args ?? [])] }),
    ...(url !== undefined && { url }),
    entries: [],
    secrets: [],
    warnings: [],
  };
}

/** Why the configuration would reject a server. */
function validity({ name, ...fields }: ServerConfig): string | undefined {
  try {
    mergeServer({ name, enabled: true } as ServerConfig, fields);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

async function missingProgram(app: App, { command, env = {} }: ServerConfig): Promise<string | undefined> {
  // A reference is resolved only when the server starts.
  if (command === undefined || command === "" || command.includes("${")) return undefined;
  const inherited = childEnvironment(app.boot.env, app.config.current().environment, env);
  if (await programExists(command, inherited)) return undefined;
  return `the program "${maskServer({ name: "", command }).command}" is not installed`;
}

function freeName(wanted: string, known: readonly ServerConfig[]): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (!known.some((server) => server.name === name)) return name;
  }
}
