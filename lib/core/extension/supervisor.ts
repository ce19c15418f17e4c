/** What a worker sends to the supervisor. */
export type FromWorker =
  /** The worker serves. */
  | { readonly type: "ready" }
  /** It needs the metrics of all workers. */
  | { readonly type: "metrics"; readonly id: number }
  /** Its own metrics, which the supervisor requested. */
  | { readonly type: "own metrics"; readonly id: number; readonly text: string };

/** What the supervisor sends to a worker. */
export type ToWorker =
  | { readonly type: "send metrics"; readonly id: number }
  /** The answer to `metrics`: the texts of the workers that answered in time. */
  | { readonly type: "all metrics"; readonly id: number; readonly texts: readonly string[] };

/** The supervisor, as a worker sees it. */
export interface Supervisor {
  /** Returns the metrics of all workers. */
  allMetrics(): Promise<readonly string[]>;
}

/** Longest wait for the supervisor, which itself waits for the other workers. (ms) */
const TIMEOUT_MS = 4000;

/** The channel to the parent process. */
type Channel = Pick<NodeJS.Process, "on" | "off" | "send">;

/**
 * Connects a worker with its supervisor.
 *
 * @param ownMetrics returns the metrics of this worker
 */
export function connectSupervisor(ownMetrics: () => Promise<string>, channel: Channel = process): Supervisor {
  const waiting = new Map<number, (texts: readonly string[]) => void>();
  let requests = 0;
  const send = (message: FromWorker) => channel.send?.(message, undefined, undefined, () => {});
  channel.on("message", async (message: ToWorker) => {
    if (message.type === "send metrics") {
      const text = await ownMetrics().catch(() => "");
      send({ type: "own metrics", id: message.id, text });
    } else if (message.type === "all metrics") waiting.get(message.id)?.(message.texts);
  });
  return {
    async allMetrics() {
      const id = ++requests;
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<readonly string[]>((done, fail) => {
          waiting.set(id, done);
          timer = setTimeout(() => fail(new Error("the supervisor of the workers does not answer")), TIMEOUT_MS);
          send({ type: "metrics", id });
        });
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
  };
}
