import type { App } from "../app.ts";
import { inScope } from "../gate/scope.ts";
import type { Caller } from "../shape/caller.ts";
import type { ServerRecord } from "../shape/server-record.ts";
import { maskedRecord, record } from "./record.ts";

/**
 * The records a caller may see, in the order of the configuration (spec 000 §4.2). What the scan says of a server is in
 * them where it was read since the last listing (`readStandings`).
 */
export function list(app: App, caller: Caller): ServerRecord[] {
  return visibleNames(app, caller).map((name) => record(app, name, caller));
}

/** The same with every secret masked, whoever asks. */
export function listMasked(app: App, caller: Caller): ServerRecord[] {
  return visibleNames(app, caller).map((name) => maskedRecord(app, name, caller));
}

function visibleNames(app: App, { scope }: Caller): string[] {
  return app.config.current().mcpServers.flatMap(({ name }) => (inScope(scope, name) ? [name] : []));
}
