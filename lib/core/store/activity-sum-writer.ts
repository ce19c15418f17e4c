import type { SqlInput } from "../../sqlite/types.ts";
import { ACTIVITY_SPANS, readSumsReach, type SumsReach } from "./activity-spans.ts";
import { type ActivitySumBatch, GROUP_COLUMNS, type GroupNames, SUM_COLUMNS } from "./activity-sum-batch.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { addDurationsText, durationsText } from "./durations.ts";
import type { WriteQueue } from "./write-queue.ts";

/**
 * If the text of a sum's durations is longer (UTF-16 units), it is compacted. This allows a few hundred different
 * durations.
 */
const MAX_DURATIONS_CHARS = 2000;
/** Maximum number of groups whose ids are cached. */
const MAX_KNOWN = 5000;

/** Adds batches to the sums in the database. */
export interface ActivitySumWriter {
  /** Writes a batch, unless records were removed after it was begun or the sums do not end where it begins. */
  put(batch: ActivitySumBatch): Promise<void>;
  /** Clears the cache after groups were removed. */
  forgetGroups(): void;
}

/** Makes the writer of sums. @param removals returns the number of removals so far */
export function createActivitySumWriter(
  connection: DatabaseConnection,
  queue: WriteQueue,
  removals: () => number,
): ActivitySumWriter {
  const known = new Map<string, Group>();
  queue.onRefused(() => known.clear());
  const run = (sql: string, ...inputs: SqlInput[]) => connection.prepare(sql).run(...inputs);

  /**
   * Returns the id and newest slot of a group, from the cache or the database. Changes are collected in `touched` and
   * enter the cache when the transaction is on the disk.
   */
  const groupOf = (key: string, { names, lastAt }: GroupNames, touched: Map<string, Group>): Group => {
    const before = known.get(key);
    let group = before && { ...before };
    if (!group) {
      const found = connection.prepare(FIND_GROUP).get(...names) ?? connection.prepare(INSERT_GROUP).get(...names);
      group = { id: Number(found!.id), newestSlot: Number(found!.newest_slot) };
    }
    const newest = Math.floor(lastAt / LONGEST);
    if (newest > group.newestSlot) {
      group.newestSlot = newest;
      run("update activity_groups set newest_slot = ? where id = ?", newest, group.id);
    }
    touched.set(key, group);
    return group;
  };

  /**
   * Merges equal durations in the text of a sum. Batches only append their durations, without reading the existing
   * ones.
   */
  const compactDurations = (...sum: [spanMs: number, slot: number, group: number]): void => {
    const durations = new Map<number, number>();
    addDurationsText(durations, String(connection.prepare(READ_DURATIONS).get(...sum)!.durations));
    run(PUT_DURATIONS, durationsText(durations), ...sum);
  };

  const write = ({ groups: named, sums }: ActivitySumBatch, { sweptAt, spans }: SumsReach): Map<string, Group> => {
    const touched = new Map<string, Group>();
    for (const [key, names] of named) groupOf(key, names, touched);
    for (const { hour, group, numbers, durations } of sums.values())
      for (const { spanMs, builtTo } of spans) {
        const slot = Math.floor((hour * HOUR) / spanMs);
        if (slot >= builtTo || slot * spanMs <= sweptAt) continue;
        const { id } = touched.get(group)!;
        const [added] = connection
          .prepare(ADD_SUM)
          .all(spanMs, slot, id, ...numbers, durations.size === 0 ? null : durationsText(durations));
        if (Number(added?.chars) > MAX_DURATIONS_CHARS) compactDurations(spanMs, slot, id);
      }
    return touched;
  };

  return {
    async put(batch) {
      let touched = new Map<string, Group>();
      await queue.put("soon", () => {
        const state = readSumsReach((sql, ...inputs) => connection.prepare(sql).all(...inputs));
        if (!state || removals() !== batch.removals || state.throughSeq !== batch.fromSeq) return;
        touched = write(batch, state);
        run("update activity_summed set through_seq = ?", batch.throughSeq);
      });
      if (known.size + touched.size > MAX_KNOWN) known.clear();
      for (const [key, group] of touched) known.set(key, group);
    },
    forgetGroups: () => known.clear(),
  };
}

const LONGEST = ACTIVITY_SPANS.at(-1)!;

const [HOUR] = ACTIVITY_SPANS;

interface Group {
  readonly id: number;
  newestSlot: number;
}

const FIND_GROUP = `select id, newest_slot from activity_groups where type = ? and status = ? and server_name is ?
  and tool_name is ? and user_id is ? and actor is ?`;
const INSERT_GROUP = `insert into activity_groups (${GROUP_COLUMNS.join(", ")}, newest_slot) values (?, ?, ?, ?, ?, ?, -1)
  returning id, newest_slot`;

const READ_DURATIONS = "select durations from activity_sums where span_ms = ? and slot = ? and group_id = ?";
const ADD_SUM = `insert into activity_sums (span_ms, slot, group_id, ${SUM_COLUMNS.join(", ")}, durations)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do update set last_at = max(last_at, excluded.last_at),
    durations = case when excluded.durations is null then durations
      else coalesce(durations || ',', '') || excluded.durations end,
    ${SUM_COLUMNS.filter((name) => name !== "last_at")
      .map((name) => `${name} = ${name} + excluded.${name}`)
      .join(", ")}
  returning length(durations) as chars`;
const PUT_DURATIONS = "update activity_sums set durations = ? where span_ms = ? and slot = ? and group_id = ?";
