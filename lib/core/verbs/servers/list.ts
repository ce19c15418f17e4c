import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { loopShare } from "../../base/loop-share.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { maskedServerRecord, serverRecord } from "./record.ts";

/**
 * Returns the records that a caller may see, in the order of the configuration (spec 000 §4.2). They contain the
 * verdict of the scan if the scan was refreshed since the last listing (`ScanStandings.refresh`).
 */
export function listServers(app: App, caller: Caller): ServerRecord[] {
  return visibleNames(app, caller).map((name) => serverRecord(app, name, caller));
}

/** Like `listServers`, but yields to other work. @throws Fault cancelled if the caller has disconnected */
export async function listServersInSlices(app: App, caller: Caller, signal: AbortSignal): Promise<ServerRecord[]> {
  const records: ServerRecord[] = [];
  const pause = loopShare();
  for (const name of visibleNames(app, caller)) {
    // The server may have been removed meanwhile.
    if (app.config.server(name)) records.push(serverRecord(app, name, caller));
    const others = pause();
    if (!others) continue;
    await others;
    if (signal.aborted) throw new Fault("cancelled");
  }
  return records;
}

/** Like `listServers`, but with all secrets masked for every caller. */
export function listMaskedServers(app: App, caller: Caller): ServerRecord[] {
  return visibleNames(app, caller).map((name) => maskedServerRecord(app, name, caller));
}

function visibleNames(app: App, { scope }: Caller): string[] {
  return app.config.current().mcpServers.flatMap(({ name }) => (inScope(scope, name) ? [name] : []));
}
