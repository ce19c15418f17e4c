import { existsSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "#lib/core/store/database-identity.ts";
import type { Cli } from "./cli.ts";
import { UsageError } from "./exit.ts";
import { localDataDir } from "./local-data-dir.ts";

/** The data directory of a local database. @throws UsageError if there is none, or a remote proxy was selected */
export async function databaseDir(cli: Cli): Promise<string> {
  const dataDir = await localDataDir(cli);
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new UsageError(`${file} does not exist; select another data directory with --data-dir`);
  return dataDir;
}
