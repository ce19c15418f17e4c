import type { Sql } from "./connection.ts";

/** The channel on which commits name their topic and revision. */
export const REVISION_CHANNEL = "proxy_revision";

/**
 * Takes the next revision of a topic within a transaction. It locks the topic's row until the commit, so revisions are
 * in the order of commits, and notifies the other replicas when the transaction is committed.
 *
 * @param count takes several revisions; the last one is returned
 */
export async function nextRevision(sql: Sql, topic: string, count = 1): Promise<number> {
  const [row] = await sql<{ rev: number }>(
    `with next as (
      insert into revision (topic, rev) values ($1, $2::bigint) on conflict (topic) do update set rev = revision.rev + $2::bigint
      returning rev
    ) select rev, pg_notify('${REVISION_CHANNEL}', $1 || ':' || rev) from next`,
    [topic, count],
  );
  return row!.rev;
}
