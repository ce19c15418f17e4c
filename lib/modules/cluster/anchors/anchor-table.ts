import type { Sql } from "../connection.ts";
import type { AuditAnchor, AuditHead } from "./anchor.ts";

/** Stores the end of a replica's audit log. It never goes back: a copy of the data directory that is older stays behind. */
export async function reportHead(sql: Sql, { replica, from, seq, hash }: AuditHead): Promise<void> {
  await sql(
    `insert into audit_head (replica, first, seq, hash, seen_at) values ($1, $2, $3, $4, clock_timestamp())
      on conflict (replica) do update
      set first = excluded.first, seq = excluded.seq, hash = excluded.hash, seen_at = excluded.seen_at
      where audit_head.seq <= excluded.seq`,
    [replica, from, seq, hash],
  );
}

/** Returns the ends of all audit logs, also of replicas that no longer run, for as long as their lines are kept. */
export async function readHeads(sql: Sql, keepMs: number): Promise<AuditHead[]> {
  const rows = await sql<{ replica: string; from: number; seq: number; hash: string }>(
    `select replica, first as "from", seq, hash from audit_head
      where seen_at > clock_timestamp() - make_interval(secs => $1::float8 / 1000) order by replica collate "C"`,
    [keepMs],
  );
  return rows.map(({ replica, from, seq, hash }) => ({ replica, from, seq, hash }));
}

interface StoredAnchor extends Record<string, unknown> {
  readonly number: number;
  readonly at: number;
  readonly heads: string;
  readonly prev: string;
  readonly hash: string;
  readonly key: string;
  readonly mac: string;
}

/** Reads at most `limit` anchors after a number, in their order. */
export async function readAnchors(sql: Sql, after: number, limit: number): Promise<AuditAnchor[]> {
  const rows = await sql<StoredAnchor>(
    "select number, at, heads, prev, hash, key, mac from audit_anchor where number > $1 order by number limit $2",
    [after, limit],
  );
  return rows.map(anchorOf);
}

export async function newestAnchor(sql: Sql): Promise<AuditAnchor | undefined> {
  const [row] = await sql<StoredAnchor>(
    "select number, at, heads, prev, hash, key, mac from audit_anchor order by number desc limit 1",
  );
  return row && anchorOf(row);
}

/** Adds an anchor and removes those that are too old. @returns false if another replica has added one meanwhile */
export async function addAnchor(sql: Sql, anchor: AuditAnchor, removeBefore: number): Promise<boolean> {
  const { number, at, heads, prev, hash, key, mac } = anchor;
  const added = await sql(
    `insert into audit_anchor (number, at, heads, prev, hash, key, mac) values ($1, $2, $3, $4, $5, $6, $7)
      on conflict do nothing returning number`,
    [number, at, JSON.stringify(heads), prev, hash, key, mac],
  );
  await sql("delete from audit_anchor where at < $1", [removeBefore]);
  return added.length > 0;
}

function anchorOf({ heads, ...row }: StoredAnchor): AuditAnchor {
  return { ...row, heads: JSON.parse(heads) as AuditHead[] };
}
