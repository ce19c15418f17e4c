import type { Clock } from "../base/clock.ts";
import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, type Reply, RPC, RpcError } from "../schema/mcp.ts";
import { UpstreamError } from "./errors.ts";
import type { RequestOptions } from "./upstreams.ts";

interface SubscriptionStreamOptions {
  readonly clock: Clock;
  /** The member that lists the subscribed items: URIs of resources, or ids of tasks. */
  readonly member: "resourceSubscriptions" | "taskIds";
  /** Sends `subscriptions/listen` for these names. */
  listen(names: string[], options: RequestOptions): Promise<Reply>;
}

/** The subscriptions of one kind at a server of 2026-07-28: one open request that names all of them. */
export interface SubscriptionStream {
  /**
   * Subscribes to one more item. @throws RpcError, UpstreamError if the server did not accept it, or did not respond
   */
  add(name: string): Promise<void>;
  remove(name: string): void;
  close(): void;
}

/** Changes within this time are sent in one request. (ms) */
const GATHER_MS = 20;
/** Timeout until a server confirms. (ms) */
const CONFIRM_MS = 10_000;
/** First and longest wait before a request that ended is repeated. (ms) */
const RENEW_MS = [1000, 30_000] as const;

/** An open request. */
interface OpenListen {
  readonly control: AbortController;
  isConfirmed: boolean;
}

interface Waiting {
  done(): void;
  fail(error: Error): void;
}

/**
 * Makes the stream. The names in an open request cannot be changed, so each change needs a new request. The old one
 * stays open until the new one is confirmed, so that no update is missed.
 */
export function createSubscriptionStream({ clock, member, listen }: SubscriptionStreamOptions): SubscriptionStream {
  const names = new Set<string>();
  let waiting = new Map<string, Waiting[]>();
  let open: OpenListen | undefined;
  let stopTimer: (() => void) | undefined;
  let renewMs: number = RENEW_MS[0];
  let isChanged = false;
  let isClosed = false;

  const schedule = (ms: number) => {
    if (isClosed) return;
    stopTimer ??= clock.after(ms, () => {
      stopTimer = undefined;
      begin();
    });
  };
  const changed = () => {
    isChanged = true;
    // While the current request is not confirmed, the change waits.
    if (!open || open.isConfirmed) schedule(GATHER_MS);
  };

  const begin = () => {
    const old = open;
    const asked = waiting;
    waiting = new Map();
    isChanged = false;
    const settle = (errorOf: (name: string) => Error | undefined) => {
      for (const [name, all] of asked) {
        const error = errorOf(name);
        if (error) names.delete(name);
        for (const one of all) {
          if (error) one.fail(error);
          else one.done();
        }
      }
      asked.clear();
    };
    if (names.size === 0) {
      open = undefined;
      old?.control.abort();
      settle(() => undefined);
      return;
    }
    const mine: OpenListen = { control: new AbortController(), isConfirmed: false };
    open = mine;
    let late: Error | undefined;
    const stopWait = clock.after(CONFIRM_MS, () => {
      late = new UpstreamError(`it did not confirm the subscription within ${CONFIRM_MS / 1000} s`);
      mine.control.abort();
    });
    const onAcknowledged = (params: McpObject) => {
      if (mine.isConfirmed || isClosed) return;
      mine.isConfirmed = true;
      renewMs = RENEW_MS[0];
      stopWait();
      old?.control.abort();
      const agreed = acknowledgedNames(params, member);
      settle((name) => (agreed.has(name) ? undefined : notAccepted()));
      if (isChanged) schedule(GATHER_MS);
    };
    const ended = (error: Error) => {
      stopWait();
      old?.control.abort();
      settle(() => late ?? error);
      if (open !== mine) return;
      open = undefined;
      if (names.size === 0) return;
      schedule(isChanged ? GATHER_MS : renewMs);
      renewMs = Math.min(RENEW_MS[1], renewMs * 2);
    };
    const options = { timeoutMs: Number.POSITIVE_INFINITY, signal: mine.control.signal, onAcknowledged };
    listen([...names], options).then(() => ended(notAccepted()), ended);
  };

  return {
    add(name) {
      return new Promise((done, fail) => {
        if (isClosed) return fail(notConnected());
        names.add(name);
        waiting.set(name, [...(waiting.get(name) ?? []), { done, fail }]);
        changed();
      });
    },
    remove(name) {
      if (names.delete(name)) changed();
    },
    close() {
      isClosed = true;
      stopTimer?.();
      open?.control.abort();
      for (const all of waiting.values()) for (const one of all) one.fail(notConnected());
      waiting.clear();
    },
  };
}

/** Returns the names in an acknowledgement. */
function acknowledgedNames({ notifications }: McpObject, member: string): ReadonlySet<unknown> {
  const names = isJsonObject(notifications) ? notifications[member] : undefined;
  return new Set(Array.isArray(names) ? names : []);
}

function notAccepted(): RpcError {
  return new RpcError({ code: RPC.invalidParams, message: "the server did not accept the subscription" });
}

function notConnected(): UpstreamError {
  return new UpstreamError("it is not connected");
}
