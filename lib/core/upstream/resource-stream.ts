import type { Clock } from "../base/clock.ts";
import { isJsonObject } from "../base/json-object.ts";
import { type McpObject, type Reply, RPC, RpcError } from "../schema/mcp.ts";
import { UpstreamError } from "./errors.ts";
import type { RequestOptions } from "./upstreams.ts";

interface ResourceStreamOptions {
  readonly clock: Clock;
  /** Sends `subscriptions/listen` for these resources. */
  listen(uris: string[], options: RequestOptions): Promise<Reply>;
}

/** The resource subscriptions at one server of 2026-07-28: one open request that names all of them. */
export interface ResourceStream {
  /** @throws RpcError, UpstreamError the server did not agree to this one, or did not answer */
  add(uri: string): Promise<void>;
  remove(uri: string): void;
  close(): void;
}

/** Changes within this time share one request. (ms) */
const GATHER_MS = 20;
/** How long a server may take to confirm. (ms) */
const CONFIRM_MS = 10_000;
/** First and longest wait before a request that ended is made again. (ms) */
const RENEW_MS = [1000, 30_000] as const;

/** A request that is open. */
interface OpenListen {
  readonly control: AbortController;
  isConfirmed: boolean;
}

interface Waiting {
  done(): void;
  fail(error: Error): void;
}

/**
 * The set of resources cannot be changed in an open request, so another one is made for each change. The old one stays
 * open until the new one is confirmed, so that no update is missed.
 */
export function createResourceStream({ clock, listen }: ResourceStreamOptions): ResourceStream {
  const uris = new Set<string>();
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
    // Of one that is not confirmed nothing is known yet: the change is made after that.
    if (!open || open.isConfirmed) schedule(GATHER_MS);
  };

  const begin = () => {
    const old = open;
    const asked = waiting;
    waiting = new Map();
    isChanged = false;
    const settle = (errorOf: (uri: string) => Error | undefined) => {
      for (const [uri, all] of asked) {
        const error = errorOf(uri);
        if (error) uris.delete(uri);
        for (const one of all) {
          if (error) one.fail(error);
          else one.done();
        }
      }
      asked.clear();
    };
    if (uris.size === 0) {
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
      const agreed = acknowledgedUris(params);
      settle((uri) => (agreed.has(uri) ? undefined : notAccepted()));
      if (isChanged) schedule(GATHER_MS);
    };
    const ended = (error: Error) => {
      stopWait();
      old?.control.abort();
      settle(() => late ?? error);
      if (open !== mine) return;
      open = undefined;
      if (uris.size === 0) return;
      schedule(isChanged ? GATHER_MS : renewMs);
      renewMs = Math.min(RENEW_MS[1], renewMs * 2);
    };
    const options = { timeoutMs: Number.POSITIVE_INFINITY, signal: mine.control.signal, onAcknowledged };
    listen([...uris], options).then(() => ended(notAccepted()), ended);
  };

  return {
    add(uri) {
      return new Promise((done, fail) => {
        if (isClosed) return fail(notConnected());
        uris.add(uri);
        waiting.set(uri, [...(waiting.get(uri) ?? []), { done, fail }]);
        changed();
      });
    },
    remove(uri) {
      if (uris.delete(uri)) changed();
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

/** The resources that an acknowledgement names. */
function acknowledgedUris({ notifications }: McpObject): ReadonlySet<unknown> {
  const uris = isJsonObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return new Set(Array.isArray(uris) ? uris : []);
}

function notAccepted(): RpcError {
  return new RpcError({ code: RPC.invalidParams, message: "the server did not accept the subscription" });
}

function notConnected(): UpstreamError {
  return new UpstreamError("it is not connected");
}
