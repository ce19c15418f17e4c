import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";

/** A living replica. */
export interface Replica {
  readonly id: string;
  /** Where it accepts calls of other replicas: `host:port`. */
  readonly address: string;
}

/** The replica that runs the process of a server. */
export interface ProcessOwner {
  readonly server: string;
  readonly replica: string;
  /** Higher than that of every earlier owner. */
  readonly token: number;
}

/** A replica and its current lease. */
interface Claimant {
  readonly replica: string;
  readonly leaseToken: number;
}

/** Rows of replicas that have ended are deleted after this time. */
const FORGOTTEN_AFTER = "1 day";

export const replicaLeaseName = (id: string) => `replica/${id}`;

/** Records where a replica can be reached, and deletes what replicas left that ended long ago. */
export async function recordReplica(database: Database, { id, address }: Replica): Promise<void> {
  await database.transact(async (sql) => {
    await sql(
      `insert into replica (id, address, seen_at) values ($1, $2, clock_timestamp())
        on conflict (id) do update set address = excluded.address, seen_at = excluded.seen_at`,
      [id, address],
    );
    await sql(
      `delete from lease where name like 'replica/%' and expires_at < clock_timestamp() - interval '${FORGOTTEN_AFTER}'`,
    );
    await sql(
      `delete from replica where seen_at < clock_timestamp() - interval '${FORGOTTEN_AFTER}'
        and not exists (select 1 from lease where name = 'replica/' || replica.id)`,
    );
  });
}

/** Removes a replica that ends. Its lease must have been released. */
export async function removeReplica(database: Database, id: string): Promise<void> {
  await database.transact(async (sql) => {
    await sql("delete from replica where id = $1", [id]);
    await sql("delete from lease where name = $1", [replicaLeaseName(id)]);
  });
}

export function livingReplicas(sql: Sql): Promise<Replica[]> {
  return sql<Replica & Record<string, unknown>>(
    `select id, address from replica join lease on lease.name = 'replica/' || replica.id
      where lease.expires_at > clock_timestamp() order by id`,
  );
}

/** Returns the living owners of these servers. */
export function processOwners(sql: Sql, servers: readonly string[]): Promise<ProcessOwner[]> {
  return sql<ProcessOwner & Record<string, unknown>>(
    `select server, replica, process_owner.token from process_owner
      join lease on lease.name = 'replica/' || replica and lease.token = lease_token
      where server = any($1::text[]) and lease.expires_at > clock_timestamp()`,
    [servers],
  );
}

/**
 * Makes a replica the owner of a server's process unless another living replica is.
 *
 * @returns the token of the ownership; undefined if another replica lives and runs it
 */
export async function claimProcess(
  database: Database,
  server: string,
  { replica, leaseToken }: Claimant,
): Promise<number | undefined> {
  return database.transact(async (sql) => {
    await sql(
      "insert into process_owner (server, replica, lease_token, token) values ($1, '', 0, 0) on conflict do nothing",
      [server],
    );
    const [row] = await sql<{ replica: string; lease_token: number; token: number }>(
      "select replica, lease_token, token from process_owner where server = $1 for update",
      [server],
    );
    const owner = row!;
    if (owner.replica !== "" && owner.replica !== replica && (await isAlive(sql, owner))) return undefined;
    await sql("update process_owner set replica = $2, lease_token = $3, token = token + 1 where server = $1", [
      server,
      replica,
      leaseToken,
    ]);
    return owner.token + 1;
  });
}

/**
 * Whether an owner's lease has not ended. The row of the lease is locked: a renewal under way is seen, and one that
 * comes later finds that the lease has ended.
 */
async function isAlive(sql: Sql, owner: { replica: string; lease_token: number }): Promise<boolean> {
  const name = replicaLeaseName(owner.replica);
  const [lease] = await sql<{ token: number; alive: boolean }>(
    "select token, expires_at >= clock_timestamp() as alive from lease where name = $1 for update",
    [name],
  );
  return lease?.alive === true && lease.token === owner.lease_token;
}

/** Ends an ownership, so that any replica may run the process at once. */
export async function releaseProcess(database: Database, server: string, token: number): Promise<void> {
  await database.run((sql) =>
    sql("update process_owner set replica = '' where server = $1 and token = $2", [server, token]),
  );
}
