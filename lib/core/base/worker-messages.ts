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
