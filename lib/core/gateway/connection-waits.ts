import { type App, part } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { loopShare } from "../base/loop-share.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";

/** Maximum time that a call waits until its server has connected and listed its tools. (ms) */
export const CONNECTION_WAIT_MS = 15_000;

/**
 * Maximum number of calls that wait for one server, and for all servers together. Further calls are answered at once.
 * What the calls hold in memory is bounded by the budget for request bodies.
 */
const MAX_WAITS_OF_SERVER = 100;
const MAX_WAITS = 1000;

interface ConnectionWait {
  readonly server: string;
  /** True while the policy says that the call must wait. It is asked again after each change of the server. */
  isPending(): boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The calls that wait for a server that is connecting or that lists its tools for the first time. */
export const connectionWaits = part(
  "connectionWaits",
  (app) => new ConnectionWaits(app),
  (waits) => waits.end(),
);

class ConnectionWaits {
  private readonly app: App;
  /** For each server, the functions that check whether its calls must still wait. */
  private readonly checks = new Map<string, Set<() => void>>();
  private readonly changed = new Set<string>();
  /** Number of waiting calls. */
  count = 0;
  private hasEnded = false;
  private stopWatching: (() => void) | undefined;

  constructor(app: App) {
    this.app = app;
  }

  /**
   * Waits until `isPending` returns false. Resolves also when the time is over, when too many calls wait already, and
   * when the proxy stops.
   *
   * @throws Fault the signal's reason if that is a Fault, otherwise `cancelled`
   */
  wait({ server, isPending, timeoutMs, signal }: ConnectionWait): Promise<void> {
    const mayWait = !this.hasEnded && this.count < MAX_WAITS && timeoutMs > 0;
    if (!mayWait || (this.checks.get(server)?.size ?? 0) >= MAX_WAITS_OF_SERVER || !isPending())
      return Promise.resolve();
    return new Promise((done, fail) => {
      const leave = () => {
        this.remove(server, check);
        cancelTimer();
        signal.removeEventListener("abort", abort);
      };
      const finish = () => {
        leave();
        done();
      };
      const refuse = (error: unknown) => {
        leave();
        fail(error);
      };
      const abort = () => refuse(signal.reason instanceof Fault ? signal.reason : new Fault("cancelled"));
      const check = () => {
        try {
          if (this.hasEnded || !isPending()) finish();
        } catch (error) {
          refuse(error);
        }
      };
      const cancelTimer = this.app.clock.after(timeoutMs, finish);
      this.add(server, check);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
    });
  }

  /** Ends all waits, and those of later calls at once. */
  end(): void {
    this.hasEnded = true;
    this.checkAll();
  }

  private add(server: string, check: () => void): void {
    this.stopWatching ??= this.watch();
    const checks = this.checks.get(server) ?? new Set();
    this.checks.set(server, checks.add(check));
    this.count++;
  }

  private remove(server: string, check: () => void): void {
    const checks = this.checks.get(server);
    if (!checks?.delete(check)) return;
    this.count--;
    if (checks.size === 0) this.checks.delete(server);
    if (this.count > 0) return;
    this.stopWatching?.();
    this.stopWatching = undefined;
  }

  private watch(): () => void {
    const { events, config } = this.app;
    const stopEvents = events.subscribe(["servers.changed", "tools.changed", "items.changed"], ({ data }) => {
      if (data.server === undefined) this.checkAll();
      else this.checkLater(data.server);
    });
    const stopConfig = config.onChange(() => this.checkAll());
    return () => {
      stopEvents();
      stopConfig();
    };
  }

  private checkAll(): void {
    for (const server of this.checks.keys()) this.checkLater(server);
  }

  /** An event is published in the middle of a change, so the facts are complete only after it. */
  private checkLater(server: string): void {
    if (!this.checks.has(server)) return;
    if (this.changed.size === 0) queueMicrotask(() => void this.checkChanged());
    this.changed.add(server);
  }

  private async checkChanged(): Promise<void> {
    const servers = [...this.changed];
    this.changed.clear();
    const pause = loopShare();
    for (const server of servers)
      for (const check of [...(this.checks.get(server) ?? [])]) {
        if (this.checks.get(server)?.has(check)) check();
        const paused = pause();
        if (paused) await paused;
      }
  }
}

/**
 * True while an attempt to connect is under way, or the listing after it. A sign-in that waits for a person is not: it
 * may take minutes.
 *
 * @param isItem whether a prompt, resource or template is awaited, which are listed after the tools
 */
export function isConnecting(status: ConnectionStatus | undefined, isItem = false): boolean {
  if (status?.state === "Connecting") return true;
  if (status?.state !== "Ready") return false;
  const { listing, itemsError } = status;
  if (listing?.listed === false) return listing.error === undefined;
  return isItem && itemsError === undefined;
}
