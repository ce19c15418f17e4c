import { hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import type { Sqlite } from "#lib/sqlite/types.ts";

/** Node's own module, if the runtime has it (22.5 and newer). */
export function nodeSqlite(): Sqlite | undefined {
  return process.getBuiltinModule("node:sqlite") as Sqlite | undefined;
}

/** All engines for store tests: the proxy's own, and Node's as the oracle if available. */
export const ENGINES: { name: string; load: () => Promise<Sqlite> }[] = [
  { name: "sql.js", load: () => loadSqlite(hostFiles) },
];
const own = nodeSqlite();
if (own) ENGINES.push({ name: "node:sqlite", load: async () => own });
