import type { InferOutput } from "valibot";
import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { recordId } from "../../core/base/id.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { ScanProgress } from "../../core/schema/scan-progress.ts";
import { Fault } from "./faults.ts";
import { chosenScanners } from "./scanners.ts";
import { beginScan } from "./start.ts";
import { type Batch, stateOf } from "./state.ts";

/** The progress of scanning all servers. */
type Progress = InferOutput<typeof ScanProgress>;

/**
 * Scans every enabled server, two at a time. A server with a scan in progress is skipped and counts as completed.
 *
 * @throws Fault scan_running, no_such_record for an unknown scanner
 */
export function scanAll(app: App, scanners: readonly string[] | undefined, by: Actor): Progress {
  const state = stateOf(app);
  if (state.batch && underWay(state.batch)) throw new Fault("scan_running", { what: "of all servers" });
  chosenScanners(app, scanners);
  const waiting = app.config
    .current()
    .mcpServers.filter(({ enabled }) => enabled)
    .map(({ name }) => name);
  const startedAt = app.clock.now();
  const controller = new AbortController();
  const batch: { -readonly [K in keyof Batch]: Batch[K] } = {
    id: recordId(startedAt),
    startedAt,
    total: waiting.length,
    waiting,
    completed: 0,
    failed: 0,
    cancelled: false,
    controller,
    done: Promise.resolve(),
  };
  state.batch = batch;
  batch.done = Promise.all([1, 2].map(() => work(app, batch, scanners, by))).then(() => {});
  app.log.catch("scanning all servers", batch.done);
  return scanProgress(app);
}

async function work(app: App, batch: Batch, scanners: readonly string[] | undefined, by: Actor): Promise<void> {
  for (let name = batch.waiting.shift(); name !== undefined; name = batch.waiting.shift()) {
    try {
      const entry = await beginScan(app, name, { scanners }, by);
      const stop = () => entry.controller.abort(new Error("cancelled"));
      if (batch.cancelled) stop();
      batch.controller.signal.addEventListener("abort", stop, { once: true });
      await entry.done;
      batch.controller.signal.removeEventListener("abort", stop);
      if (entry.job.status === "completed") batch.completed++;
      else batch.failed++;
    } catch (error) {
      if (error instanceof Fault && error.code === "scan_running") batch.completed++;
      else {
        batch.failed++;
        app.log.warn(`server "${name}" could not be scanned: ${reasonOf(error)}`);
      }
    }
  }
}

/** Returns the progress of the current batch of scans, or of the last one. */
export function scanProgress(app: App): Progress {
  const { batch, running } = stateOf(app);
  const now = [...running.keys()];
  if (!batch) return { status: "idle", total: 0, completed: 0, failed: 0, waiting: [], running: now };
  const { id, total, completed, failed, waiting } = batch;
  const status = batch.cancelled ? "cancelled" : underWay(batch) ? "running" : "completed";
  return {
    status,
    id,
    started_at: rfc3339(batch.startedAt),
    total,
    completed,
    failed,
    waiting: [...waiting],
    running: now,
  };
}

/** Cancels the queue and the current scans. @throws Fault scan_not_running */
export async function cancelAll(app: App): Promise<void> {
  const { batch } = stateOf(app);
  if (!batch || !underWay(batch)) throw new Fault("scan_not_running", { what: "of all servers" });
  batch.cancelled = true;
  batch.failed += batch.waiting.length;
  batch.waiting = [];
  batch.controller.abort(new Error("cancelled"));
  await batch.done;
}

function underWay({ total, completed, failed }: Batch): boolean {
  return completed + failed < total;
}
