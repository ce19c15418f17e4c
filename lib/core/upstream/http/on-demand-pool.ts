import type { Dispatcher, Pool } from "undici";

/**
 * Sends requests over a pool of connections that exists only while it has connections. A pool without connections takes
 * 25 KB, and most servers are idle most of the time.
 */
export class OnDemandPool {
  private readonly open: () => Dispatcher;
  private pool: Dispatcher | undefined;

  constructor(open: () => Dispatcher) {
    this.open = open;
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.pool ??= this.opened();
    this.pool.dispatch(request, handler);
  }

  /** Closes all connections. Later requests fail. */
  destroy(): Promise<void> {
    // A pool that is opened only to be closed rejects later requests with the usual error.
    this.pool ??= this.open();
    return this.pool.destroy();
  }

  private opened(): Dispatcher {
    const pool = this.open();
    pool.on("disconnect", () => {
      if (this.pool === pool && isIdle(pool)) this.pool = undefined;
    });
    return pool;
  }
}

/** True if a pool has no connection and no request. A tunnel through a forward proxy has no figures, so it is kept. */
function isIdle(pool: Dispatcher & Partial<Pick<Pool, "destroyed" | "stats">>): boolean {
  return pool.destroyed === false && pool.stats?.connected === 0 && pool.stats.size === 0;
}
