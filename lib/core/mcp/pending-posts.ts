import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { singleAbortController } from "../base/single-abort.ts";
import { TransientMap } from "../base/transient-map.ts";
import type { Caller } from "../schema/caller.ts";

/** A POST request that is not answered yet. */
export interface PendingPost {
  readonly caller: Caller;
  /** One controller for each JSON-RPC request in it. */
  readonly aborts: AbortController[];
  /** Sends a comment to a client that accepts event streams, so that no intermediary closes the connection. */
  keepAlive(): void;
  /** Ends the requests of a client that has disconnected. */
  left(): void;
  /** True if the request was already in progress at the last heartbeat. */
  waited: boolean;
}

/** The POST requests that have not been answered yet, by their responses. */
export interface PendingPosts<K = unknown> {
  add(response: K, post: PendingPost): void;
  get(response: K): PendingPost | undefined;
  /** Call when the response is known. */
  delete(response: K): void;
  /** Returns a controller, not aborted, for one JSON-RPC request of a POST. */
  controller(): AbortController;
  /** Takes the controllers of a POST to use them again; call it when nothing listens to their signals. */
  recycle(aborts: AbortController[]): void;
  /** Sends a comment on the event stream of each long call, so that no intermediary closes its connection. */
  keepAlive(): void;
  /** Ends the requests of callers for whom `faultOf` returns a reason, including requests without a session. */
  endWhere(faultOf: (caller: Caller) => Fault | undefined): void;
  /** Ends every call with Fault `stopping`. Resolves when each caller has its response, or after a second. */
  close(): Promise<void>;
}

/** Maximum number of unused controllers kept for later calls. */
const MAX_SPARE = 64;

/** How long a stop waits until the responses are sent (ms). */
const STOP_MS = 1000;

export function createPendingPosts<K>(clock: Clock): PendingPosts<K> {
  const posts = new TransientMap<K, PendingPost>();
  // Making the signal of an AbortController takes longer than judging the call, and hardly any signal is ever used.
  const spare: AbortController[] = [];
  let onLast = () => {};

  /** Resolves when no request is in progress and the responses were passed to their sockets, or after `STOP_MS`. */
  const answered = () =>
    new Promise<void>((done) => {
      const giveUp = clock.after(STOP_MS, done);
      onLast = () => {
        giveUp();
        setImmediate(done);
      };
    });

  return {
    add: (response, post) => void posts.set(response, post),
    get: (response) => posts.get(response),
    delete(response) {
      posts.delete(response);
      if (posts.size === 0) onLast();
    },
    controller: () => spare.pop() ?? singleAbortController(),
    recycle(aborts) {
      for (let abort = aborts.pop(); abort; abort = aborts.pop())
        if (!abort.signal.aborted && spare.length < MAX_SPARE) spare.push(abort);
    },
    keepAlive() {
      for (const post of posts.values()) {
        if (post.waited) post.keepAlive();
        post.waited = true;
      }
    },
    endWhere(faultOf) {
      for (const { caller, aborts } of posts.values()) {
        const fault = faultOf(caller);
        if (fault) for (const abort of aborts) abort.abort(fault);
      }
    },
    async close() {
      for (const post of posts.values()) for (const abort of post.aborts) abort.abort(new Fault("stopping"));
      if (posts.size > 0) await answered();
    },
  };
}
