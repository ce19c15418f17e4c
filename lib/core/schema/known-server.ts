/** What the store remembers about a server name, also after its entry was removed from the configuration. */
export interface KnownServer {
  name: string;
  /** Hash of the entry's last launch definition. */
  identity: string;
  /** `open` only until the first complete listing: an operator stated `quarantined: false` when making the entry. */
  baseline: "open" | "closed";
  noticedAt: number;
  /** When its entry left the configuration; absent while it is configured. */
  removedAt?: number;
}
