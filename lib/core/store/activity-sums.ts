import type { Row, SqlInput } from "../../sqlite/types.ts";
import type { Clock } from "../base/clock.ts";
import { createMutex, type Mutex } from "../base/mutex.ts";
import type { Logger } from "../log/logger.ts";
import { HEAD, type QueryAll } from "./activity-row.ts";
import { ACTIVITY_SPANS, type BuiltSpan } from "./activity-spans.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { isDamageFault, isDiskFault } from "./disk-fault.ts";
import { addDurations, addDurationsText, durationsText } from "./durations.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Records that are added up together: the more they are, the less each costs, but the more counts read singly. */
const WORTHWHILE = 4000;
/** Sums that are written together at most: each takes about 30 µs, and all of them are one transaction. */
const MAX_WRITTEN = 250;
/** Text of the durations of one sum (UTF-16 units) that is left as it is: some hundred different durations. */
const MAX_DURATIONS_CHARS = 2000;
/** Records of one slice; it follows what the last one took. */
const FIRST_SLICE = 200;
/** Records that are read in one slice at most: each may be a sum of its own. */
const MAX_READ = 250;
const MIN_SLICE = 10;
const MAX_SLICE = 2000;
/** How long one slice may keep the event loop (ms). */
const SLICE_MS = 4;
/** Sums that are dropped in one slice. */
const DROPPED = 500;
/** Between two slices, for what others want to write and read (ms); and after a failure of the disk. */
const REST_MS = 5;
const RETRY_MS = 10_000;
/** Until an existing database is caught up with, so that the start is not held up. */
const START_MS = 1000;
/** Groups whose numbers are remembered. */
const MAX_KNOWN = 5000;
/** Batches of new records that are kept in memory until they are written; records beyond them are read again. */
const MAX_WAITING = 8;

/** How far the sums reach. */
export interface SumsReach {
  /** Records up to this number are in the sums. */
  readonly throughSeq: number;
  /** Records up to this time (ms) were removed: a piece of time that begins at or before it has no sum. */
  readonly sweptAt: number;
  /** The shortest first. */
  readonly spans: readonly BuiltSpan[];
}

/**
 * Keeps the sums of the activity records: how many there were of each kind in each hour; in each day, once it is over,
 * from its hours; and in each sixteen days from their days.
 *
 * The sums follow the records: `activity_summed` says up to which record they reach, in the transaction that adds to
 * them, so that a crash leaves both as they were. Records beyond are counted singly; so are those of an hour that began
 * before the last removal, whose sum is no longer right.
 *
 * New records are added up in memory as they become durable. Records are read from the database only where memory does
 * not have them: those of an earlier release, those that a crash or a shutdown left out of the sums, and those that were
 * added while others were removed.
 */
export interface ActivitySums {
  /** Held by whoever counts, so that the sums do not move meanwhile. */
  readonly mutex: Mutex;
  /** How far they reach; `undefined` where that cannot be read. To be asked while `mutex` is held. */
  reach(all: QueryAll): SumsReach | undefined;
  /** How many removals there were; to be asked within the write that inserts records. */
  removals(): number;
  /** Records were added, and are on the disk. */
  added(records: AddedRecords): void;
  /** Records up to `at` are being removed. To be called within the write that removes them. */
  removed(at: number): void;
  /** Drops the sums of removed records, in the background. */
  swept(): void;
  /** Adds up everything that was recorded until now. */
  catchUp(signal?: AbortSignal): Promise<void>;
  /** Ends the work in the background, after the slice under way. */
  close(): Promise<void>;
}

/** Records that one write inserted. */
export interface AddedRecords {
  readonly heads: readonly (readonly SqlInput[])[];
  /** The number of the last of them; the others have those right before it. */
  readonly lastSeq: number;
  /** As `removals()` said within the write. */
  readonly removals: number;
}

export function createActivitySums(
  connection: DatabaseConnection,
  queue: WriteQueue,
  clock: Clock,
  log: Logger,
): ActivitySums {
  const mutex = createMutex();
  const steps = createMutex();
  const known = new Map<string, Group>();
  queue.onRefused(() => known.clear());
  const closed = new AbortController();
  /** Grows with each removal, so that what was read before one is not written after it. */
  let removals = 0;
  /** Records that were read and not written yet. */
  let batch: Batch | undefined;
  /** New records that were not read: batches that are full, in the order of their records, and the one that grows. */
  let waiting: Batch[] = [];
  let growing: Batch | undefined;
  /** Records up to this number were read: memory does not take them. */
  let readTo = 0;
  let pending = 0;
  let isOver = false;
  let slice = FIRST_SLICE;
  let groups = FIRST_SLICE;
  let working: Promise<void> | undefined;

  // Writes that are still queued are not flushed: each flush is a transaction, and nothing here needs them.
  const all: QueryAll = (sql, ...inputs) => connection.read(() => connection.prepare(sql).all(...inputs));
  const run = (sql: string, ...inputs: SqlInput[]) => connection.prepare(sql).run(...inputs);

  const reach = (read: QueryAll): SumsReach | undefined => {
    const [row] = read("select * from activity_summed");
    if (!row) return undefined;
    const built = BUILT_TO.map((column) => (column === undefined ? Number.POSITIVE_INFINITY : Number(row[column])));
    return {
      throughSeq: Number(row.through_seq),
      sweptAt: Number(row.swept_at),
      spans: ACTIVITY_SPANS.map((spanMs, i) => ({ spanMs, builtTo: built[i]! })),
    };
  };

  /** What is known of a group, from before or now; `touched` counts only once the transaction is on the disk. */
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

  /** Counts each duration of a sum once: a sum grows by the durations of a batch, without a look at those it has. */
  const compactDurations = (...sum: [spanMs: number, slot: number, group: number]): void => {
    const durations = new Map<number, number>();
    addDurationsText(durations, String(connection.prepare(READ_DURATIONS).get(...sum)!.durations));
    run(PUT_DURATIONS, durationsText(durations), ...sum);
  };

  const write = ({ groups: named, sums }: Batch, { sweptAt, spans }: SumsReach): Map<string, Group> => {
    const touched = new Map<string, Group>();
    for (const [key, names] of named) groupOf(key, names, touched);
    for (const { hour, group, numbers, durations } of sums.values())
      for (const { spanMs, builtTo } of spans) {
        const slot = Math.floor((hour * HOUR) / spanMs);
        if (slot >= builtTo || slot * spanMs <= sweptAt) continue;
        const { id } = touched.get(group)!;
        const [added] = connection.prepare(ADD_SUM).all(spanMs, slot, id, ...numbers, textOf(durations));
        if (Number(added?.chars) > MAX_DURATIONS_CHARS) compactDurations(spanMs, slot, id);
      }
    return touched;
  };

  /**
   * Takes the batch that follows a record out of memory, and drops those that are of no use any more.
   *
   * @param isAll the one that grows as well
   */
  const takeWaiting = (throughSeq: number, isAll: boolean): Batch | undefined => {
    const isOfUse = (one: Batch) => one.removals === removals && one.fromSeq >= throughSeq;
    waiting = waiting.filter(isOfUse);
    if (growing && !isOfUse(growing)) growing = undefined;
    if (waiting[0]) return waiting[0].fromSeq === throughSeq ? waiting.shift() : undefined;
    if (!isAll || growing?.fromSeq !== throughSeq) return undefined;
    const taken = growing;
    growing = undefined;
    return taken;
  };

  /** What memory has comes after this record. */
  const waitingFrom = () => (waiting[0] ?? growing)?.fromSeq;

  /**
   * Writes what memory has, or reads some records into a batch and writes that once it is full.
   *
   * @param lastSeq every record up to this number; without it, what is left for a full batch may stay in memory
   * @returns whether more may be left to do
   */
  const addSlice = async (lastSeq?: number): Promise<boolean> => {
    const state = reach(all);
    if (!state || (lastSeq !== undefined && state.throughSeq >= lastSeq)) return false;
    if (batch && (batch.removals !== removals || batch.fromSeq !== state.throughSeq)) batch = undefined;
    const known = batch ? undefined : takeWaiting(state.throughSeq, lastSeq !== undefined);
    if (known) {
      await put(known);
      return true;
    }
    batch ??= newBatch(removals, state.throughSeq);
    const upTo = waitingFrom() ?? Number.MAX_SAFE_INTEGER;
    const started = performance.now();
    const rows = batch.throughSeq < upTo ? all(SUMMING, batch.throughSeq, upTo, slice) : [];
    const count = gatherRows(batch, rows);
    readTo = batch.throughSeq;
    const isWhole = count === slice;
    if (isWhole) slice = Math.min(MAX_READ, nextSize(slice, performance.now() - started));
    if (isWhole && !isFull(batch)) return true;
    const read = batch;
    batch = undefined;
    if (read.count > 0) {
      await put(read);
      return true;
    }
    if (!growing) pending = 0;
    return false;
  };

  const put = async (read: Batch): Promise<void> => {
    pending = Math.max(0, pending - read.count);
    let touched = new Map<string, Group>();
    await queue.put("soon", () => {
      const state = reach((sql, ...inputs) => connection.prepare(sql).all(...inputs));
      if (!state || removals !== read.removals || state.throughSeq !== read.fromSeq) return;
      touched = write(read, state);
      run("update activity_summed set through_seq = ?", read.throughSeq);
    });
    if (known.size + touched.size > MAX_KNOWN) known.clear();
    for (const [key, group] of touched) known.set(key, group);
  };

  /** Where the building of a day or of sixteen days goes on: after this group. */
  let cursor = { span: 0, slot: -1, group: -1 };

  /** Adds up the hours of a day that is over, or the days of sixteen, for some groups. Repeating it changes nothing. */
  const buildSlice = async (): Promise<boolean> => {
    const state = reach(all);
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
        run(PUT_SUM, whole, slot, row.group_id!, ...NUMBERS.map((column) => row[column]!), textOf(durations));
      }
      if (rows.length < groups) run(`update activity_summed set ${BUILT_TO[span]} = ?`, slot + 1);
      tookMs = readMs + performance.now() - began;
    });
    cursor = { span, slot, group: Number(rows.at(-1)?.group_id ?? -1) };
    groups = nextSize(groups, tookMs);
    return true;
  };

  /** Removes sums that are no longer right. */
  const dropSlice = async (): Promise<boolean> => {
    const state = reach(all);
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
        known.clear();
      });
    return false;
  };

  /** One after the other, so that no record is added to a day while it is built. */
  const slices = async (isAll: boolean, signal?: AbortSignal) => {
    const release = await steps.hold(signal);
    try {
      await allSlices(isAll, signal);
    } finally {
      release();
    }
  };
  const allSlices = async (isAll: boolean, signal?: AbortSignal) => {
    if (isAll) queue.flush();
    const lastSeq = isAll ? Number(all("select max(seq) as seq from activity")[0]?.seq ?? 0) : undefined;
    for (const step of [dropSlice, () => addSlice(lastSeq), buildSlice])
      for (;;) {
        signal?.throwIfAborted();
        if (closed.signal.aborted) return;
        const release = await mutex.hold(signal ? AbortSignal.any([signal, closed.signal]) : closed.signal);
        let more: boolean;
        try {
          more = await step();
        } finally {
          release();
        }
        if (!more) break;
        await new Promise((done) => setTimeout(done, REST_MS));
      }
  };

  const behind = () => {
    const [row] = all("select max(seq) - through_seq as count from activity, activity_summed");
    return Number(row?.count ?? 0);
  };

  /** In the background, until less is left than is worthwhile. */
  const work = async (wanted: () => boolean): Promise<"over" | "later"> => {
    try {
      if (!wanted()) return "over";
      do await slices(false);
      while ((pending >= WORTHWHILE || waiting.length > 0) && !closed.signal.aborted);
    } catch (error) {
      if (closed.signal.aborted) return "over";
      if (isDiskFault(error) && !isDamageFault(error)) return "later";
      // What is damaged stays so: what lies beyond is counted singly until the database is recovered.
      isOver = true;
      waiting = [];
      growing = undefined;
      log.warn("activity records are no longer added up; counting them takes longer", { error });
    }
    return "over";
  };
  const begin = (wanted = () => true) => {
    if (isOver || working !== undefined || closed.signal.aborted) return;
    working = work(wanted).then((outcome) => {
      working = undefined;
      if (outcome === "later") cancel = clock.after(RETRY_MS, () => begin());
    });
  };
  const remember = (heads: AddedRecords["heads"], firstSeq: number, lastSeq: number) => {
    if (growing && (growing.removals !== removals || growing.throughSeq !== firstSeq - 1)) growing = undefined;
    if (!growing && waiting.length >= MAX_WAITING) return;
    growing ??= newBatch(removals, firstSeq - 1);
    gatherHeads(growing, heads);
    growing.throughSeq = lastSeq;
    if (!isFull(growing)) return;
    waiting.push(growing);
    growing = undefined;
  };
  let cancel = clock.after(START_MS, () => begin(() => behind() >= WORTHWHILE));

  return {
    mutex,
    reach,
    removals: () => removals,
    added({ heads, lastSeq, removals: before }) {
      pending += heads.length;
      const firstSeq = lastSeq - heads.length + 1;
      if (before === removals && !isOver && firstSeq > readTo) remember(heads, firstSeq, lastSeq);
      if (pending >= WORTHWHILE || waiting.length > 0) begin();
    },
    removed(at) {
      removals++;
      readTo = 0;
      run(REMOVED, at);
    },
    swept: () => begin(),
    catchUp: (signal) => slices(true, signal),
    async close() {
      closed.abort();
      cancel();
      await working;
    },
  };
}

const LONGEST = ACTIVITY_SPANS.at(-1)!;

/** Where `activity_summed` says up to which piece of each length there are sums; hours are always summed. */
const BUILT_TO = [undefined, "days_to", "long_to"] as const;

/** The first day that is over, or the first sixteen days, without a sum. */
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

/** As many as take about the time of one slice. */
function nextSize(size: number, tookMs: number): number {
  if (tookMs > SLICE_MS) return Math.max(MIN_SLICE, Math.floor(size / 2));
  return tookMs < SLICE_MS / 2 ? Math.min(MAX_SLICE, size * 2) : size;
}

const textOf = (durations: ReadonlyMap<number, number>) => (durations.size === 0 ? null : durationsText(durations));

interface Group {
  readonly id: number;
  newestSlot: number;
}

/** What a group is called, and when its newest record was made (ms). */
interface GroupNames {
  readonly names: readonly SqlInput[];
  lastAt: number;
}

/** Records that follow each other, added up in memory until they are written in one transaction. */
interface Batch {
  /** The number of removals before the first of them was read. */
  readonly removals: number;
  /** They come after this record, and reach to that one. */
  readonly fromSeq: number;
  throughSeq: number;
  count: number;
  readonly groups: Map<string, GroupNames>;
  readonly sums: Map<string, Sum>;
}

interface Sum {
  /** Counted from the epoch. */
  readonly hour: number;
  /** Key of its group. */
  readonly group: string;
  /** As in `NUMBERS`. */
  readonly numbers: number[];
  readonly durations: Map<number, number>;
}

const newBatch = (removals: number, seq: number): Batch => ({
  removals,
  fromSeq: seq,
  throughSeq: seq,
  count: 0,
  groups: new Map(),
  sums: new Map(),
});

const isFull = ({ count, sums }: Batch) => count >= WORTHWHILE || sums.size >= MAX_WRITTEN;

/** Adds rows of `SUMMING` to a batch. @returns how many records they stand for */
function gatherRows(batch: Batch, rows: readonly Row[]): number {
  let count = 0;
  for (const row of rows) {
    const names = GROUP.map((column) => row[column] ?? null);
    const at = Number(row.last_at);
    const { numbers, durations } = sumOf(batch, names, at);
    for (const [i, column] of NUMBERS.entries())
      numbers[i] = column === "last_at" ? Math.max(numbers[i]!, at) : numbers[i]! + Number(row[column]);
    if (typeof row.durations === "string") addDurations(durations, row.durations.split(",").map(Number));
    count += Number(row.count);
    batch.throughSeq = Math.max(batch.throughSeq, Number(row.seq));
  }
  batch.count += count;
  return count;
}

/** Adds records to a batch: the same as `SUMMING` and `gatherRows`, of rows that are being written. */
function gatherHeads(batch: Batch, heads: AddedRecords["heads"]): void {
  for (const head of heads) {
    const names = GROUP_PLACES.map((place) => head[place] ?? null);
    if (head[PLACE.server_name] !== null) names[ACTOR] = null;
    const at = head[PLACE.at] as number;
    const { numbers, durations } = sumOf(batch, names, at);
    numbers[0]!++;
    numbers[1] = Math.max(numbers[1]!, at);
    addSize(numbers, 2, head[PLACE.request_bytes]);
    addSize(numbers, 4, head[PLACE.response_bytes]);
    const ms = head[PLACE.duration_ms];
    if (typeof ms === "number") addDurations(durations, [ms]);
  }
  batch.count += heads.length;
}

function addSize(numbers: number[], place: number, size: SqlInput | undefined): void {
  if (typeof size !== "number") return;
  numbers[place]!++;
  numbers[place + 1]! += size;
}

/** The sum of a group in the hour of `at`, begun where there is none. */
function sumOf(batch: Batch, names: readonly SqlInput[], at: number): Sum {
  const group = JSON.stringify(names);
  const named = batch.groups.get(group);
  if (!named) batch.groups.set(group, { names, lastAt: at });
  else if (at > named.lastAt) named.lastAt = at;
  const hour = Math.floor(at / HOUR);
  const key = `${hour} ${group}`;
  let sum = batch.sums.get(key);
  if (!sum) {
    sum = { hour, group, numbers: NUMBERS.map(() => 0), durations: new Map() };
    batch.sums.set(key, sum);
  }
  return sum;
}

/** What a sum is about. A caller's name only where no server is named: what a limited caller may see depends on it there. */
const GROUP = ["type", "status", "server_name", "tool_name", "user_id", "actor"] as const;
const NUMBERS = ["count", "last_at", "sized_requests", "request_bytes", "sized_responses", "response_bytes"] as const;

const [HOUR] = ACTIVITY_SPANS;

/** Where the head of a record has what is summed. */
const PLACE = Object.fromEntries(HEAD.map((column, i) => [column, i])) as Record<(typeof HEAD)[number], number>;
const GROUP_PLACES = GROUP.map((column) => PLACE[column]);
const ACTOR = GROUP.indexOf("actor");

const SUMMING = `
  select type, status, server_name, tool_name, user_id, case when server_name is null then actor end as actor,
    count(*) as count, max(at) as last_at, max(seq) as seq,
    count(request_bytes) as sized_requests, total(request_bytes) as request_bytes,
    count(response_bytes) as sized_responses, total(response_bytes) as response_bytes,
    group_concat(duration_ms) as durations
  from (select * from activity where seq > ? and seq <= ? order by seq limit ?)
  group by cast(at / ${ACTIVITY_SPANS[0]} as integer), 1, 2, 3, 4, 5, 6`;

const FIND_GROUP = `select id, newest_slot from activity_groups where type = ? and status = ? and server_name is ?
  and tool_name is ? and user_id is ? and actor is ?`;
const INSERT_GROUP = `insert into activity_groups (${GROUP.join(", ")}, newest_slot) values (?, ?, ?, ?, ?, ?, -1)
  returning id, newest_slot`;

const READ_DURATIONS = "select durations from activity_sums where span_ms = ? and slot = ? and group_id = ?";
const ADD_SUM = `insert into activity_sums (span_ms, slot, group_id, ${NUMBERS.join(", ")}, durations)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do update set last_at = max(last_at, excluded.last_at),
    durations = case when excluded.durations is null then durations
      else coalesce(durations || ',', '') || excluded.durations end,
    ${NUMBERS.filter((name) => name !== "last_at")
      .map((name) => `${name} = ${name} + excluded.${name}`)
      .join(", ")}
  returning length(durations) as chars`;
const PUT_DURATIONS = "update activity_sums set durations = ? where span_ms = ? and slot = ? and group_id = ?";

const BUILDING = `select group_id, sum(count) as count, max(last_at) as last_at,
    sum(sized_requests) as sized_requests, sum(request_bytes) as request_bytes,
    sum(sized_responses) as sized_responses, sum(response_bytes) as response_bytes, group_concat(durations) as durations
  from activity_sums where span_ms = ? and slot >= ? and slot < ? and group_id > ?
  group by group_id order by group_id limit ?`;
const PUT_SUM = `insert or replace into activity_sums (span_ms, slot, group_id, ${NUMBERS.join(", ")}, durations)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const ENDS = `select (select min(slot) from activity_sums where span_ms = ? and slot >= ?) as first,
  (select max(slot) from activity_sums where span_ms = ?) as last`;

const STALE = "select slot, group_id from activity_sums where span_ms = ? and slot <= ? limit ?";
/** Numbers of removed records are given anew, and those that get them are not in the sums. */
const REMOVED = `update activity_summed set swept_at = max(swept_at, ?),
  through_seq = min(through_seq, (select coalesce(max(seq), 0) from activity))`;
