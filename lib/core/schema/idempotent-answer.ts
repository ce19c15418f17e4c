/** The stored response to a request with an `Idempotency-Key`. */
export interface IdempotentAnswer {
  /** Hash of the caller and the key. */
  readonly id: string;
  /** Hash of the request. */
  readonly requestHash: string;
  /** Id of the key that seals the response. It is sealed because it may contain a secret that is shown only once. */
  readonly keyId: string;
  readonly sealed: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
