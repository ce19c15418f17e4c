/** The answer to a request with an `Idempotency-Key`, as it is kept. */
export interface IdempotentAnswer {
  /** Hash of the caller and the key. */
  readonly id: string;
  /** Hash of what was asked. */
  readonly requestHash: string;
  /** With which key the answer is sealed: it may hold a secret that is shown once. */
  readonly keyId: string;
  readonly sealed: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
