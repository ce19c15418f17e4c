import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { recordId } from "../../core/base/id.ts";
import { createMutex } from "../../core/base/mutex.ts";
import { orAborted } from "../../core/base/or-aborted.ts";
import { soleWork } from "../../core/extension/sole-work.ts";
import { backoffMs } from "../../core/upstream/backoff.ts";
import type { SinkConfig } from "./config.ts";
import { deadLetters } from "./dead-letters.ts";
import { type Destination, RejectedRecords, RetryLater } from "./destination.ts";
import { type Lane, lanesOf, missingSource } from "./lanes-of.ts";
import { openDestination } from "./open-destination.ts";
import type { SinkProgress } from "./progress.ts";
import type { RecordSource, SourcedRecord } from "./record-source.ts";
import type { SinkRecord } from "./sink-record.ts";
import type { SinkStatus } from "./sink-status.ts";

/** A sink that delivers records until it is closed. */
export interface RunningSink {
  status(): Promise<SinkStatus>;
  /** Returns the state of what this replica delivers, so that no record is counted by two replicas. */
  ownStatus(): Promise<SinkStatus>;
  /** Delivers a record that says it is a test. @throws why it was not delivered */
  test(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** How long records gather before they are delivered together (ms). */
const GATHER_MS = 500;
/** Time limit of one delivery (ms). */
const DELIVERY_TIMEOUT_MS = 30_000;
/** Longest wait before another attempt (ms). */
const MAX_RETRY_MS = 300_000;

/**
 * Delivers records in order, each at least once. It reads them from where they are stored, after the last one that the
 * receiver acknowledged, so neither a restart nor an outage of the receiver loses any that are still stored.
 */
export function runSink(app: App, sink: SinkConfig): RunningSink {
  const { clock } = app;
  const log = app.log.tagged(`sink ${sink.name}`);
  const end = new AbortController();
  const rejects = deadLetters(app.boot.ownDir, sink.name);
  const lanes = lanesOf(app, sink);
  const mutex = createMutex();
  let destination: Destination | undefined;
  let [delivered, failures] = [0, 0];
  let lastDelivery: number | undefined;
  let problem: string | undefined;
  const missing = missingSource(app, sink);
  if (missing !== undefined) log.warn("records cannot be delivered", { reason: missing });

  /** One delivery at a time: tests share the connection with the records. */
  const deliver = async (records: readonly SinkRecord[], signal: AbortSignal) => {
    const release = await mutex.hold(signal);
    try {
      destination ??= await openDestination(app, sink, signal);
      await destination.deliver(records, signal);
    } catch (error) {
      if (!(error instanceof RejectedRecords)) await closeDestination();
      throw error;
    } finally {
      release();
    }
  };
  const closeDestination = async () => {
    const was = destination;
    destination = undefined;
    await was?.close().catch((error: unknown) => log.debug("closing failed", { error }));
  };
  const setAside = async ({ progress }: Lane, record: SinkRecord, reason: string) => {
    if (!(await rejects.add(record, reason, clock.now()))) return lose(progress, 1, `${rejects.path} is full`);
    if (progress.rejected.count === 0)
      log.warn(`the receiver rejects records; they are in ${rejects.path}`, { reason });
    progress.count("rejected", 1);
  };
  const lose = (progress: SinkProgress, count: number, reason: string) => {
    if (count === 0) return;
    progress.count("lost", count);
    log.warn(`${count} record(s) were not delivered and are lost`, { reason });
  };

  /** Delivers records, and sets aside those that the receiver rejects: it halves them until it finds which. */
  const deliverAll = async (
    lane: Lane,
    { source, records, until }: { source: RecordSource; records: readonly SourcedRecord[]; until: AbortSignal },
  ): Promise<void> => {
    const { progress } = lane;
    const signal = AbortSignal.any([until, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]);
    try {
      await deliver(
        records.map(({ record }) => record),
        signal,
      );
      delivered += records.length;
    } catch (error) {
      if (!(error instanceof RejectedRecords)) throw error;
      if (records.length > 1) {
        const half = Math.ceil(records.length / 2);
        await deliverAll(lane, { source, records: records.slice(0, half), until });
        return deliverAll(lane, { source, records: records.slice(half), until });
      }
      await setAside(lane, records[0]!.record, error.message);
    }
    lose(
      progress,
      records.reduce((sum, { missing }) => sum + missing, 0),
      "they were removed from the proxy's storage before the receiver accepted them",
    );
    progress.marks[source.kind] = records.at(-1)!.mark;
    progress.saveSoon();
    lastDelivery = clock.now();
    if (problem !== undefined) log.info("records are delivered again");
    [failures, problem] = [0, undefined];
  };
  /** @returns whether there were records */
  const round = async (lane: Lane, until: AbortSignal): Promise<boolean> => {
    let found = false;
    for (const source of lane.sources) {
      const after = lane.progress.marks[source.kind];
      const records = await source.read(after, sink.batch_size, until);
      if (records.length === 0) continue;
      found = true;
      await deliverAll(lane, { source, records, until });
    }
    return found;
  };
  const begin = async ({ progress, sources: own }: Lane) => {
    for (const source of own) progress.marks[source.kind] ??= await source.newest();
    await progress.save();
  };
  const run = async (lane: Lane, signal: AbortSignal) => {
    let isBegun = false;
    while (!signal.aborted) {
      try {
        // Records that are added while the sink delivers wake it again.
        const woken = new Promise<void>((done) => {
          lane.wake = done;
        });
        if (!isBegun) await begin(lane);
        isBegun = true;
        if (await round(lane, signal)) continue;
        await orAborted(woken, signal);
        await clock.sleep(GATHER_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (problem === undefined) log.warn("records cannot be delivered; the sink keeps trying", { error });
        problem = reasonOf(error);
        const waitMs = error instanceof RetryLater ? error.afterMs : backoffMs(++failures, Math.random());
        await clock.sleep(Math.min(waitMs, MAX_RETRY_MS), signal).catch(() => undefined);
      }
    }
  };
  /** Runs while this replica is the one to deliver, from where the replica before it stopped. */
  const hold = async (lane: Lane, signal: AbortSignal) => {
    lane.progress = lane.openProgress();
    lane.isRunning = true;
    try {
      await run(lane, signal);
    } finally {
      lane.isRunning = false;
      // After a loss the progress belongs to another replica.
      if (end.signal.aborted) await lane.progress.save();
      else lane.progress.drop();
    }
  };
  const ends = lanes.flatMap((lane) => lane.sources.map((source) => source.onRecords(() => lane.wake())));
  const running = lanes.map((lane) =>
    lane.isSole
      ? app.part(soleWork).run(`sink ${sink.name}`, (signal) => hold(lane, signal), end.signal)
      : hold(lane, end.signal),
  );

  const statusOf = async (shown: readonly Lane[]): Promise<SinkStatus> => {
    let waiting = 0;
    const counted = shown.map((lane) => (lane.isRunning ? lane.progress : lane.openProgress()));
    for (const [index, lane] of shown.entries())
      for (const { kind, waiting: count } of lane.sources) {
        const mark = counted[index]!.marks[kind];
        if (mark !== undefined) waiting += await count(mark);
      }
    const lost = sumOf(counted.map((progress) => progress.lost));
    const rejected = sumOf(counted.map((progress) => progress.rejected));
    const reason = problem ?? missing;
    const isStandby = missing === undefined && shown.every(({ isRunning }) => !isRunning);
    return {
      name: sink.name,
      type: sink.type,
      records: sink.records,
      state: isStandby ? "standby" : reason === undefined ? "delivering" : "failing",
      ...(reason !== undefined && { problem: reason }),
      waiting,
      delivered,
      lost: lost.count,
      ...(lost.lastAt !== undefined && { last_lost_at: rfc3339(lost.lastAt) }),
      rejected: rejected.count,
      ...(rejected.lastAt !== undefined && {
        last_rejected_at: rfc3339(rejected.lastAt),
        rejected_file: rejects.path,
      }),
      ...(lastDelivery !== undefined && { last_delivery_at: rfc3339(lastDelivery) }),
    };
  };

  return {
    status: () => statusOf(lanes),
    ownStatus: () => statusOf(lanes.filter(({ isRunning }) => isRunning)),
    async test(signal) {
      const limit = AbortSignal.any([end.signal, signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]);
      await deliver([testRecord(sink.name, clock.now())], limit);
    },
    async close() {
      for (const stop of ends) stop();
      end.abort();
      await Promise.all(running);
      await closeDestination();
    },
  };
}

function sumOf(counters: readonly SinkProgress["lost"][]): SinkProgress["lost"] {
  const lastAt = Math.max(...counters.map((counter) => counter.lastAt ?? Number.NEGATIVE_INFINITY));
  const count = counters.reduce((sum, counter) => sum + counter.count, 0);
  return { count, ...(Number.isFinite(lastAt) && { lastAt }) };
}

function testRecord(sink: string, now: number): SinkRecord {
  const id = recordId(now);
  const content = { id, type: "sink_test", source: "internal", status: "success", timestamp: rfc3339(now) };
  const message = `This is a test of the sink ${sink}.`;
  const line = JSON.stringify({ ...content, message });
  return { kind: "activity", id, at: now, type: "sink_test", status: "success", line };
}
