/** What the store remembers about a server name. It is kept when the entry is removed from the configuration. */
export interface KnownServer {
  name: string;
  /** Hash of the entry's last launch definition. */
  identity: string;
  /**
   * `open` until the first complete listing, if an operator set `quarantined: false` when the entry was made; otherwise
   * `closed`.
   */
  baseline: "open" | "closed";
  noticedAt: number;
  /** When the entry was removed from the configuration; absent while it is configured. */
  removedAt?: number;
}
