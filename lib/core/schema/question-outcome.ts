/** The outcome of a question that an upstream asked, the same for upstreams of every protocol version. */
export interface QuestionOutcome {
  /**
   * `success`: the client answered. `error`: no answer arrived. `blocked`: the proxy did not ask the client, or did not
   * pass on the answer.
   */
  readonly status: "success" | "error" | "blocked";
  /** Why there is no answer. */
  readonly reason?: string;
  /** What the person chose: `accept`, `decline` or `cancel`. */
  readonly action?: string;
}

/** Records the outcome of one question. Calls after the first one have no effect. */
export type EndQuestion = (outcome: QuestionOutcome) => void;
