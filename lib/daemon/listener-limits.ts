/** Limits of every listener, so that slow clients and large headers occupy resources only briefly. */
export const LISTENER_LIMITS = {
  headersTimeout: 60_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 180_000,
  maxHeaderSize: 64 * 1024,
  /** Time after which a client that reads nothing of a pending response is disconnected (ms). */
  stallTimeout: 300_000,
  /** Interval between checks of the time limits (ms). */
  connectionsCheckingInterval: 5000,
} as const;
