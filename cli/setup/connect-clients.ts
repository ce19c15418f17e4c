import { movableEntries } from "#lib/client/setup/movable-entries.ts";
import { reasonOf } from "#lib/core/base/fault.ts";
import type { ClientSurvey } from "#lib/core/schema/client-survey.ts";
import type { Cli } from "../cli.ts";
import { connectClient } from "../connect-client.ts";

/** What happens to the clients' files: nothing, the proxy is added, or it also takes the place of their entries. */
export type ClientChange = "nothing" | "connect" | "move";

export interface ConnectedClient {
  client: string;
  /** Names of the entries that were removed. */
  removed: string[];
  connected: boolean;
  error?: string;
  /** The commands that restore the file, in order. */
  undo: string[];
}

/**
 * Connects the clients to this proxy, and with `move` removes the entries of servers for which it can stand in. Each file is
 * backed up before each of the two changes.
 *
 * @param available names of servers for which the proxy can stand in; entries of others stay in the client
 */
export async function connectClients(
  cli: Cli,
  survey: ClientSurvey,
  { change, available }: { change: ClientChange; available: ReadonlySet<string> },
): Promise<ConnectedClient[]> {
  if (change === "nothing") return [];
  const done: ConnectedClient[] = [];
  for (const { client, connected: before, error } of survey.clients) {
    if (error !== undefined) continue;
    const names = movableEntries(survey, client, available);
    if (names.length === 0 && before) continue;
    const result: ConnectedClient = { client, removed: [], connected: before, undo: [] };
    done.push(result);
    try {
      const undo = `${cli.self} connect undo ${client}`;
      // In this order, a failure never leaves the client without its servers.
      if (!before) {
        const { action } = await connectClient(cli, client, { name: "", force: false });
        result.connected = true;
        if (action !== "already_exists") result.undo.push(undo);
      }
      if (change === "move" && names.length > 0) {
        const body = { server_names: names, preview: false };
        const moved = await cli.call("POST /api/v1/connect/{client}/move", { params: { client }, body });
        result.removed = moved.removed;
        if (moved.backup_path !== undefined) result.undo.push(undo);
      }
    } catch (failed) {
      if (cli.signal.aborted) throw failed;
      result.error = reasonOf(failed);
    }
  }
  return done;
}
