import type { ToWorker } from "../../core/extension/supervisor.ts";

/** The part of a worker process that is needed. */
interface MetricsWorker {
  send(message: ToWorker): void;
}

/** Longest wait for the metrics of a worker. (ms) */
const TIMEOUT_MS = 2000;

/** Collects the metrics of all workers for the one that was asked for them. */
interface MetricsGathering {
  /** @param id names the request at the worker that sent it */
  begin(asker: MetricsWorker, id: number, workers: readonly MetricsWorker[]): void;
  /** Takes the metrics of one worker. @param id names the request, as the worker got it */
  add(worker: MetricsWorker, id: number, text: string): void;
}

export function createMetricsGathering(timeoutMs = TIMEOUT_MS): MetricsGathering {
  const open = new Map<number, { readonly missing: Set<MetricsWorker>; readonly texts: string[]; end(): void }>();
  let requests = 0;
  return {
    begin(asker, id, workers) {
      const own = ++requests;
      const texts: string[] = [];
      const end = () => {
        clearTimeout(timer);
        open.delete(own);
        asker.send({ type: "all metrics", id, texts });
      };
      const timer = setTimeout(end, timeoutMs);
      open.set(own, { missing: new Set(workers), texts, end });
      for (const worker of workers) worker.send({ type: "send metrics", id: own });
    },
    add(worker, id, text) {
      const request = open.get(id);
      if (!request?.missing.delete(worker)) return;
      request.texts.push(text);
      if (request.missing.size === 0) request.end();
    },
  };
}
