import { createHash } from "node:crypto";
import { CLOCK_SKEW_MS } from "../../../core/base/clock.ts";
import type { ShortLivedValues, ValueKind } from "../../../core/extension/replica-sharing.ts";
import type { SealedStates } from "../../../core/mcp/sealed-states.ts";
import type { Database } from "../database.ts";

interface TableOptions {
  readonly database: Pick<Database, "run" | "transact">;
  readonly sealed: Pick<SealedStates, "seal" | "open">;
}

const READ_TIMEOUT_MS = 2000;
/** Counting a larger number takes long, so it is done seldom. */
const EXACT_MAX = 10_000;
const CHECK_SHARE = 0.01;

/** Values of one kind in the database. Its clock decides when they end. */
export function shortLivedTable({ database, sealed }: TableOptions, kind: ValueKind): ShortLivedValues {
  const { name, max, maxOfGroup = max } = kind;
  const placeOf = (key: string) => JSON.stringify(["short-lived", name, key]);
  const open = async (key: string, text: string): Promise<unknown> => {
    const opened = await sealed.open(placeOf(key), text);
    return opened === undefined ? undefined : JSON.parse(opened);
  };
  const taken = (statement: string) => async (key: string) => {
    const [row] = await database.run((sql) => sql<{ value: string }>(statement, [name, keyHash(key)]), {
      timeoutMs: READ_TIMEOUT_MS,
    });
    return row && open(key, row.value);
  };
  // The row ends the value. A replica whose clock is ahead would take the seal of another one for ended before.
  const sealedText = (key: string, value: unknown, lifetimeMs: number) =>
    sealed.seal(placeOf(key), JSON.stringify(value), lifetimeMs + CLOCK_SKEW_MS);
  return {
    async put(key, value, { lifetimeMs, group }) {
      const text = await sealedText(key, value, lifetimeMs);
      const groupKey = group === undefined ? null : keyHash(group);
      await database.transact(async (sql) => {
        await sql(PUT, [name, keyHash(key), groupKey, text, lifetimeMs]);
        await sql(DROP_ENDED);
        if (max <= EXACT_MAX || Math.random() < CHECK_SHARE) await sql(DROP_OLDEST, [name, max]);
        if (groupKey !== null) await sql(DROP_OLDEST_OF_GROUP, [name, maxOfGroup, groupKey]);
      });
    },
    get: taken(GET),
    take: taken(TAKE),
    async change(key, edit) {
      // The edit may wait for a key, so it runs between two statements instead of in a transaction.
      for (;;) {
        const [row] = await database.run((sql) =>
          sql<{ value: string; left: number }>(GET_WITH_LIFE, [name, keyHash(key)]),
        );
        const current = row && (await open(key, row.value));
        const next = current === undefined ? undefined : edit(current);
        if (!row || next === undefined) return false;
        const text = await sealedText(key, next, row.left);
        const changed = await database.run((sql) => sql(REPLACE, [name, keyHash(key), row.value, text]));
        if (changed.length > 0) return true;
      }
    },
    async removeGroup(group) {
      await database.run((sql) => sql(REMOVE_GROUP, [name, keyHash(group)]));
    },
  };
}

const PUT = `insert into short_lived (kind, key, "group", value, at, expires_at)
  values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + make_interval(secs => $5::float8 / 1000))
  on conflict (kind, key) do update
    set "group" = excluded."group", value = excluded.value, at = excluded.at, expires_at = excluded.expires_at`;
const LIVE = "from short_lived where kind = $1 and key = $2 and expires_at > clock_timestamp()";
const GET = `select value ${LIVE}`;
const GET_WITH_LIFE = `select value, extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as left ${LIVE}`;
const TAKE = `delete ${LIVE} returning value`;
const REPLACE = "update short_lived set value = $4 where kind = $1 and key = $2 and value = $3 returning key";
const REMOVE_GROUP = `delete from short_lived where kind = $1 and "group" = $2`;
// Rows that another replica is deleting are left to it, so that nobody waits.
const DROP_ENDED = `delete from short_lived where (kind, key) in (select kind, key from short_lived
  where expires_at < clock_timestamp() order by expires_at limit 1000 for update skip locked)`;
const DROP_OLDEST = `delete from short_lived where kind = $1 and key in (select key from short_lived
  where kind = $1 order by at desc offset $2 for update skip locked)`;
const DROP_OLDEST_OF_GROUP = `delete from short_lived where kind = $1 and key in (select key from short_lived
  where kind = $1 and "group" = $3 order by at desc offset $2 for update skip locked)`;

/** A key may be a credential, such as an authorization code. */
export const keyHash = (key: string) => createHash("sha256").update(key).digest("base64url");
