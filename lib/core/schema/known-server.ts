/** What is remembered of a server by its name, also after its entry has left the configuration. */
export interface KnownServer {
  name: string;
  /** Hash of the launch definition that the entry had last. */
  identity: string;
  /** `open` only until the first complete listing: an operator stated `quarantined: false` when making the entry. */
  baseline: "open" | "closed";
  noticedAt: number;
  /** When its entry left the configuration; absent while it is configured. */
  removedAt?: number;
}
