import type { Clock } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { TransientMap } from "../base/transient-map.ts";
import type { Caller } from "../schema/caller.ts";
import type { ClientEventStream } from "./client-event-stream.ts";

/** One POST whose answer is not there yet. */
export interface PendingPost {
  readonly caller: Caller;
  /** One for each of its requests. */
  readonly aborts: AbortController[];
  /** Opens the event stream at the first need; absent for clients that did not ask for streams. */
  readonly stream: (() => ClientEventStream) | undefined;
  /** It was already under way at the last heartbeat. */
  waited: boolean;
}

/** The POST requests that have not been answered yet. */
export interface PendingPosts {
  add(post: PendingPost): void;
  /** Its answer is known. */
  delete(post: PendingPost): void;
  /** An unaborted controller for one request of a post. */
  controllerFor(post: PendingPost): AbortController;
  /** The post's only controller may serve another post: nothing listens to it any more. */
  recycle(post: PendingPost, abort: AbortController): void;
  /** Sends a comment on the event stream of each call that takes long, so that no intermediary closes its connection. */
  keepAlive(): void;
  /** Ends the requests of callers whom `faultOf` gives a reason for, requests without a session included. */
  endWhere(faultOf: (caller: Caller) => Fault | undefined): void;
  /** Ends every call with Fault `stopping`; resolves when each caller has its answer, or after a second. */
  close(): Promise<void>;
}

/** Unused controllers kept for the next calls. */
const MAX_SPARE = 64;

/** How long a stop waits for the answers to be sent (ms). */
const STOP_MS = 1000;

export function createPendingPosts(clock: Clock): PendingPosts {
  const posts = new TransientMap<PendingPost, PendingPost>();
  // Making the signal of an AbortController costs more than judging the call, and nearly none is ever used.
  const spare: AbortController[] = [];
  let onLast = () => {};

  /** Resolves when nothing is under way and the answers have been handed to their sockets, or when that takes long. */
  const answered = () =>
    new Promise<void>((done) => {
      const giveUp = clock.after(STOP_MS, done);
      onLast = () => {
        giveUp();
        setImmediate(done);
      };
    });

  return {
    add: (post) => void posts.set(post, post),
    delete(post) {
      posts.delete(post);
      if (posts.size === 0) onLast();
    },
    controllerFor(post) {
      const abort = spare.pop() ?? lastingController();
      post.aborts.push(abort);
      return abort;
    },
    recycle(post, abort) {
      post.aborts.length = 0;
      if (!abort.signal.aborted && spare.length < MAX_SPARE) spare.push(abort);
    },
    keepAlive() {
      for (const post of posts.values()) {
        if (post.waited) post.stream?.().keepAlive();
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

/**
 * A controller for many calls, one after the other. With a listener that stays, its signal's table of listeners is not
 * emptied and filled anew by each of them (`Passing` tells what that costs).
 */
function lastingController(): AbortController {
  const abort = new AbortController();
  abort.signal.addEventListener("abort", () => {});
  return abort;
}
