import type { ReplicaSharing } from "../../../core/extension/replica-sharing.ts";
import type { Database } from "../database.ts";

interface FailedAttempts {
  readonly add: ReplicaSharing["countFailedAttempt"];
  close(): void;
}

interface Gathered {
  count: number;
  readonly max: number;
  readonly everyMs: number;
  readonly onCounted: (wrong: number) => void;
}

/** How long failed attempts gather before they are added up (ms). */
const GATHER_MS = 100;
/** Maximum number of addresses of one batch; attempts of further ones count at their replica only. */
const MAX_KEYS = 1000;
const TIMEOUT_MS = 1000;

/** Adds up failed attempts of all replicas. One that an address makes at each replica is known to all of them. */
export function createFailedAttempts(database: Pick<Database, "run">): FailedAttempts {
  let gathered = new Map<string, Gathered>();
  let timer: NodeJS.Timeout | undefined;
  let adding: Promise<void> | undefined;

  const addAll = async () => {
    const batch = gathered;
    gathered = new Map();
    const entries = [...batch].sort(([a], [b]) => (a < b ? -1 : 1));
    const column = (of: (one: Gathered) => number) => entries.map(([, one]) => of(one));
    const values = [
      entries.map(([key]) => key),
      column(({ count }) => count),
      column(({ max }) => max),
      column(({ everyMs }) => everyMs),
    ];
    const rows = await database.run((sql) => sql<{ key: string; wrong: number }>(ADD, values), {
      timeoutMs: TIMEOUT_MS,
    });
    for (const { key, wrong } of rows) batch.get(key)?.onCounted(wrong);
  };
  const schedule = () => {
    if (timer || adding || gathered.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      // While the database is away, each replica counts alone.
      adding = addAll()
        .catch(() => {})
        .finally(() => {
          adding = undefined;
          schedule();
        });
    }, GATHER_MS).unref();
  };
  return {
    add(key, { max, everyMs }, onCounted) {
      const known = gathered.get(key);
      if (known) known.count++;
      else if (gathered.size < MAX_KEYS) gathered.set(key, { count: 1, max, everyMs, onCounted });
      schedule();
    },
    close() {
      clearTimeout(timer);
      gathered.clear();
    },
  };
}

const ADD = `insert into failed_attempt as f (key, wrong, most, every_ms, at)
  select key, least(wrong, most), most, every_ms, clock_timestamp()
    from unnest($1::text[], $2::float8[], $3::float8[], $4::float8[]) as x (key, wrong, most, every_ms)
  on conflict (key) do update set at = excluded.at, wrong = least(excluded.most,
    excluded.wrong + greatest(0, f.wrong - extract(epoch from excluded.at - f.at)::float8 * 1000 / excluded.every_ms))
  returning key, wrong`;

/** Removes attempts that no longer count. */
export const DROP_OLD_ATTEMPTS = "delete from failed_attempt where at < clock_timestamp() - interval '10 minutes'";
