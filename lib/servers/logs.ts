import type { App } from "../app.ts";
import type { LogLine } from "../log/server-file.ts";
import { scrubLine } from "../redact/lines.ts";
import type { Caller } from "../shape/caller.ts";
import { find } from "./find.ts";

/** The last lines of a server's log, oldest first, without credentials (spec 000 §2.9). @throws Fault server_not_found */
export async function logs(app: App, name: string, count: number, caller: Caller): Promise<LogLine[]> {
  find(app, name, caller);
  const lines = await app.serverLogs.tail(name, count);
  return lines.map((line) => ({ ...line, message: scrubLine(line.message) }));
}
