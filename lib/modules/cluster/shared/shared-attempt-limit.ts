import type { AttemptLimit, AttemptLimits } from "../../../core/base/attempt-limit.ts";
import type { Database } from "../database.ts";
import { keyHash } from "./short-lived-table.ts";

interface Counted extends Record<string, unknown> {
  readonly count: number;
  /** Time until the window ends. (ms) */
  readonly left: number;
  readonly max: number;
}

/** A limit that counts the attempts at all replicas, in windows by the database's clock. */
export function sharedAttemptLimit(
  database: Pick<Database, "run">,
  name: string,
  { perKey, total, windowMs }: AttemptLimits,
): AttemptLimit {
  return {
    async take(key) {
      const rows = await database.run((sql) => sql<Counted>(COUNT, [name, keyHash(key), windowMs, perKey, total]));
      const over = rows.find(({ count, max }) => count > max);
      return over ? Math.max(1, Math.ceil(over.left)) : 0;
    },
  };
}

const INSERT = `insert into attempt_window as w (name, key, count, ends_at)`;
const END = "clock_timestamp() + make_interval(secs => $3::float8 / 1000)";
const ADD = `on conflict (name, key) do update
  set count = case when w.ends_at < clock_timestamp() then 1 else w.count + 1 end,
    ends_at = case when w.ends_at < clock_timestamp() then excluded.ends_at else w.ends_at end
  returning count, ends_at`;
/** An attempt that is too many for its key does not count in total, where the key is empty. */
const COUNT = `with own as (${INSERT} values ($1, $2, 1, ${END}) ${ADD}),
  whole as (${INSERT} select $1, '', 1, ${END} from own where own.count <= $4::integer ${ADD}),
  counted as (select *, $4::integer as max from own union all select *, $5::integer from whole)
  select count, max, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as left from counted`;

/** Removes the windows that have ended. */
export const DROP_ENDED_WINDOWS = "delete from attempt_window where ends_at < clock_timestamp() - interval '1 minute'";
