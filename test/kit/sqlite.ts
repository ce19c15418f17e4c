import { hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import type { Sqlite } from "#lib/sqlite/types.ts";

/** node's own module, where the runtime has it (22.5 and newer). */
export function nodeSqlite(): Sqlite | undefined {
  return process.getBuiltinModule("node:sqlite") as Sqlite | undefined;
}

/** Every engine a store test can run on: ours always, node's own as the oracle where there is one. */
export const ENGINES: { name: string; load: () => Promise<Sqlite> }[] = [
  { name: "sql.js", load: () => loadSqlite(hostFiles) },
];
const own = nodeSqlite();
if (own) ENGINES.push({ name: "node:sqlite", load: async () => own });
