/** The outcome of an upstream's question, the same for upstreams of every protocol version. */
export interface QuestionOutcome {
  /** `success`: the client answered; `error`: no answer came; `blocked`: the client was not asked, or its answer withheld. */
  readonly status: "success" | "error" | "blocked";
  /** Why there is no answer. */
  readonly reason?: string;
  /** What the person chose: `accept`, `decline` or `cancel`. */
  readonly action?: string;
}

/** Takes the outcome of one question; only the first one counts. */
export type EndQuestion = (outcome: QuestionOutcome) => void;
