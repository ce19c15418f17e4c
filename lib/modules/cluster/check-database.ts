import type { Database } from "./database.ts";
import { addressOf } from "./database-target.ts";
import { Fault } from "./faults.ts";

/** What a server says about itself and about the rights of the user. */
export interface DatabaseFacts {
  /** 150018 for 15.18. */
  readonly version: number;
  readonly shownVersion: string;
  readonly encoding: string;
  readonly standby: boolean;
  readonly readOnly: boolean;
  /** The schema in which tables are made; null if the search path names none that exists. */
  readonly schema: string | null;
  readonly creates: boolean | null;
}

const OLDEST_VERSION = 13;

/**
 * Checks that the proxy can keep its tables in the database.
 *
 * @throws Fault cluster_database_unsuitable, and the faults of `Database.run`
 */
export async function checkDatabase(database: Database): Promise<void> {
  const [facts] = await database.run((sql) =>
    sql<DatabaseFacts & Record<string, unknown>>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as "shownVersion",
        current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby,
        current_setting('default_transaction_read_only') = 'on' as "readOnly", current_schema() as schema,
        has_schema_privilege(current_schema(), 'create') as creates`,
    ),
  );
  const problem = unsuitability(facts!, database.target.user);
  if (!problem) return;
  const { database: name } = database.target;
  throw new Fault("cluster_database_unsuitable", { database: name, host: addressOf(database.target), ...problem });
}

/** Returns the first reason why a database cannot be used; undefined if it can. */
export function unsuitability(facts: DatabaseFacts, user: string): { reason: string; remedy: string } | undefined {
  const { version, shownVersion, encoding, standby, readOnly, schema, creates } = facts;
  if (version < OLDEST_VERSION * 10_000)
    return {
      reason: `the server is PostgreSQL ${shownVersion}`,
      remedy: `use version ${OLDEST_VERSION} or newer`,
    };
  if (encoding !== "UTF8")
    return { reason: `its encoding is ${encoding}`, remedy: "create a database with: createdb --encoding=UTF8" };
  if (standby)
    return {
      reason: "the server is a standby, which accepts no changes",
      remedy: "name the primary in cluster.database_url",
    };
  if (readOnly)
    return {
      reason: "its transactions are read-only",
      remedy: "set default_transaction_read_only to off for the user",
    };
  if (schema === null)
    return {
      reason: `no schema of the search path exists or can be used by "${user}"`,
      remedy: `run: create schema authorization "${user}"`,
    };
  if (!creates)
    return {
      reason: `"${user}" may not create tables in the schema "${schema}"`,
      remedy: `run: grant create on schema "${schema}" to "${user}"`,
    };
  return undefined;
}
