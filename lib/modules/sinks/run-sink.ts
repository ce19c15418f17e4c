import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { recordId } from "../../core/base/id.ts";
import { createMutex } from "../../core/base/mutex.ts";
import { backoffMs } from "../../core/upstream/backoff.ts";
import { activitySource } from "./activity-source.ts";
import { auditSource } from "./audit-source.ts";
import type { SinkConfig } from "./config.ts";
import { deadLetters } from "./dead-letters.ts";
import { type Destination, RejectedRecords, RetryLater } from "./destination.ts";
import { openDestination } from "./open-destination.ts";
import { openProgress } from "./progress.ts";
import type { RecordSource, SourcedRecord } from "./record-source.ts";
import type { SinkRecord } from "./sink-record.ts";
import type { SinkStatus } from "./sink-status.ts";

/** A sink that delivers records until it is closed. */
export interface RunningSink {
  status(): Promise<SinkStatus>;
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
  const progress = openProgress(app, sink.name);
  const rejects = deadLetters(app.config.dataDir, sink.name);
  const sources = sink.records.map((kind) =>
    kind === "activity" ? activitySource(app, sink.bodies) : auditSource(app),
  );
  const mutex = createMutex();
  let destination: Destination | undefined;
  let wake = () => {};
  let [delivered, failures] = [0, 0];
  let lastDelivery: number | undefined;
  let problem: string | undefined;

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
  const setAside = async (record: SinkRecord, reason: string) => {
    if (!(await rejects.add(record, reason, clock.now()))) return lose(1, `${rejects.path} is full`);
    if (progress.rejected.count === 0)
      log.warn(`the receiver rejects records; they are in ${rejects.path}`, { reason });
    progress.count("rejected", 1);
  };
  const lose = (count: number, reason: string) => {
    if (count === 0) return;
    progress.count("lost", count);
    log.warn(`${count} record(s) were not delivered and are lost`, { reason });
  };

  /** Delivers records, and sets aside those that the receiver rejects: it halves them until it finds which. */
  const deliverAll = async (source: RecordSource, records: readonly SourcedRecord[]): Promise<void> => {
    const signal = AbortSignal.any([end.signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]);
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
        await deliverAll(source, records.slice(0, half));
        return deliverAll(source, records.slice(half));
      }
      await setAside(records[0]!.record, error.message);
    }
    lose(
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
  const round = async (): Promise<boolean> => {
    let found = false;
    for (const source of sources) {
      const after = progress.marks[source.kind];
      const records = await source.read(after, sink.batch_size, end.signal);
      if (records.length === 0) continue;
      found = true;
      await deliverAll(source, records);
    }
    return found;
  };
  const begin = async () => {
    for (const source of sources) progress.marks[source.kind] ??= await source.newest();
    await progress.save();
  };
  const run = async () => {
    let isBegun = false;
    while (!end.signal.aborted) {
      try {
        // Records that are added while the sink delivers wake it again.
        const woken = new Promise<void>((done) => {
          wake = done;
        });
        if (!isBegun) await begin();
        isBegun = true;
        if (await round()) continue;
        await until(woken, end.signal);
        await clock.sleep(GATHER_MS, end.signal);
      } catch (error) {
        if (end.signal.aborted) return;
        if (problem === undefined) log.warn("records cannot be delivered; the sink keeps trying", { error });
        problem = reasonOf(error);
        const waitMs = error instanceof RetryLater ? error.afterMs : backoffMs(++failures, Math.random());
        await clock.sleep(Math.min(waitMs, MAX_RETRY_MS), end.signal).catch(() => undefined);
      }
    }
  };
  const ends = sources.map((source) => source.onRecords(() => wake()));
  const running = run();

  return {
    async status() {
      let waiting = 0;
      for (const { kind, waiting: count } of sources)
        if (progress.marks[kind] !== undefined) waiting += await count(progress.marks[kind]);
      return {
        name: sink.name,
        type: sink.type,
        records: sink.records,
        state: problem === undefined ? "delivering" : "failing",
        ...(problem !== undefined && { problem }),
        waiting,
        delivered,
        lost: progress.lost.count,
        ...(progress.lost.lastAt !== undefined && { last_lost_at: rfc3339(progress.lost.lastAt) }),
        rejected: progress.rejected.count,
        ...(progress.rejected.lastAt !== undefined && {
          last_rejected_at: rfc3339(progress.rejected.lastAt),
          rejected_file: rejects.path,
        }),
        ...(lastDelivery !== undefined && { last_delivery_at: rfc3339(lastDelivery) }),
      };
    },
    async test(signal) {
      const limit = AbortSignal.any([end.signal, signal, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]);
      await deliver([testRecord(sink.name, clock.now())], limit);
    },
    async close() {
      for (const stop of ends) stop();
      end.abort();
      await running;
      await progress.save();
      await closeDestination();
    },
  };
}

function testRecord(sink: string, now: number): SinkRecord {
  const id = recordId(now);
  const content = { id, type: "sink_test", source: "internal", status: "success", timestamp: rfc3339(now) };
  const message = `This is a test of the sink ${sink}.`;
  const line = JSON.stringify({ ...content, message });
  return { kind: "activity", id, at: now, type: "sink_test", status: "success", line };
}

function until(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (signal.aborted) return fail(signal.reason);
    const stop = () => fail(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    promise.then(() => {
      signal.removeEventListener("abort", stop);
      done();
    }, fail);
  });
}
