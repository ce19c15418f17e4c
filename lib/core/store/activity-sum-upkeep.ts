import type { SqlInput } from "../../sqlite/types.ts";
import type { QueryAll } from "./activity-row.ts";
import { ACTIVITY_SPANS, BUILT_TO, readSumsReach, type SumsReach } from "./activity-spans.ts";
import { SUM_COLUMNS } from "./activity-sum-batch.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { addDurationsText, durationsText } from "./durations.ts";
import { FIRST_SLICE, nextSliceSize } from "./slice-size.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Maximum number of sums deleted in one slice. */
const DROPPED = 500;

/** Computes the sums of days and of sixteen days, and deletes those of removed records. */
export interface ActivitySumUpkeep {
  /**
   * Adds up the hours of one completed day, or the days of one period of sixteen, for some groups. @returns true if
   * there may be more to do
   */
  buildSlice(): Promise<boolean>;
  /** Deletes sums that are no longer correct. @returns true if there may be more to do */
  dropSlice(): Promise<boolean>;
}

/** Makes the upkeep of sums. @param forgetGroups called after groups were removed */
export function createActivitySumUpkeep(
  connection: DatabaseConnection,
  queue: WriteQueue,
  all: QueryAll,
  forgetGroups: () => void,
): ActivitySumUpkeep {
  let groups = FIRST_SLICE;
  const run = (sql: string, ...inputs: SqlInput[]) => connection.prepare(sql).run(...inputs);

  /** The last group that was summed for the slot in progress; the next slice continues after it. */
  let cursor = { span: 0, slot: -1, group: -1 };

  /**
   * Adds up the hours of one completed day, or the days of one period of sixteen, for some groups. Repeating it has no
   * effect.
   */
  const buildSlice = async (): Promise<boolean> => {
    const state = readSumsReach(all);
    const next = state && nextToBuild(all, state);
    if (!next) return false;
    const { span, slot } = next;
    if (cursor.span !== span || cursor.slot !== slot) cursor = { span, slot, group: -1 };
    const [part, whole] = [ACTIVITY_SPANS[span - 1]!, ACTIVITY_SPANS[span]!];
    const ratio = whole / part;
    const started = performance.now();
    const rows = all(BUILDING, part, slot * ratio, (slot + 1) * ratio, cursor.group, groups);
    const readMs = performance.now() - started;
    let tookMs = 0;
    await queue.put("soon", () => {
      const began = performance.now();
      for (const row of rows) {
        const durations = new Map<number, number>();
        if (typeof row.durations === "string") addDurationsText(durations, row.durations);
        run(
          PUT_SUM,
          whole,
          slot,
          row.group_id!,
          ...SUM_COLUMNS.map((column) => row[column]!),
          durations.size === 0 ? null : durationsText(durations),
        );
      }
      if (rows.length < groups) run(`update activity_summed set ${BUILT_TO[span]} = ?`, slot + 1);
      tookMs = readMs + performance.now() - began;
    });
    cursor = { span, slot, group: Number(rows.at(-1)?.group_id ?? -1) };
    groups = nextSliceSize(groups, tookMs);
    return true;
  };

  /** Deletes sums that are no longer correct. */
  const dropSlice = async (): Promise<boolean> => {
    const state = readSumsReach(all);
    if (!state) return false;
    const [stale] = ACTIVITY_SPANS.flatMap((spanMs) =>
      all(STALE, spanMs, Math.floor(state.sweptAt / spanMs), DROPPED).length > 0 ? [spanMs] : [],
    );
    if (stale !== undefined) {
      await queue.put("soon", () => {
        for (const row of connection.prepare(STALE).all(stale, Math.floor(state.sweptAt / stale), DROPPED))
          run(
            "delete from activity_sums where span_ms = ? and slot = ? and group_id = ?",
            stale,
            row.slot!,
            row.group_id!,
          );
      });
      return true;
    }
    const oldest = Math.floor(state.sweptAt / LONGEST);
    if (all("select 1 from activity_groups where newest_slot < ? limit 1", oldest).length > 0)
      await queue.put("soon", () => {
        run("delete from activity_groups where newest_slot < ?", oldest);
        forgetGroups();
      });
    return false;
  };

  return { buildSlice, dropSlice };
}

const LONGEST = ACTIVITY_SPANS.at(-1)!;

/** Returns the first completed day, or completed period of sixteen days, that has no sum. */
function nextToBuild(all: QueryAll, { sweptAt, spans }: SumsReach): { span: number; slot: number } | undefined {
  for (let span = 1; span < spans.length; span++) {
    const [part, whole] = [spans[span - 1]!, spans[span]!];
    const ratio = whole.spanMs / part.spanMs;
    const from = Math.max(whole.builtTo, Math.floor(sweptAt / whole.spanMs) + 1) * ratio;
    const [row] = all(ENDS, part.spanMs, from, part.spanMs);
    if (typeof row?.first !== "number") continue;
    const slot = Math.floor(row.first / ratio);
    if ((slot + 1) * ratio <= Math.min(Number(row.last), part.builtTo)) return { span, slot };
  }
  return undefined;
}

const BUILDING = `select group_id, sum(count) as count, max(last_at) as last_at,
    sum(sized_requests) as sized_requests, sum(request_bytes) as request_bytes,
    sum(sized_responses) as sized_responses, sum(response_bytes) as response_bytes, group_concat(durations) as durations
  from activity_sums where span_ms = ? and slot >= ? and slot < ? and group_id > ?
  group by group_id order by group_id limit ?`;
const PUT_SUM = `insert or replace into activity_sums (span_ms, slot, group_id, ${SUM_COLUMNS.join(", ")}, durations)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const ENDS = `select (select min(slot) from activity_sums where span_ms = ? and slot >= ?) as first,
  (select max(slot) from activity_sums where span_ms = ?) as last`;

const STALE = "select slot, group_id from activity_sums where span_ms = ? and slot <= ? limit ?";
