import { randomUUID } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import type { Fault } from "../base/fault.ts";
import { type Caller, ownerKey } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";

/** The outcome of a request: the result of the call, or questions that the client answers with another request. */
export type HeldOutcome<T> =
  | { readonly done: T }
  | { readonly questions: ReadonlyMap<string, UpstreamQuestion>; readonly state: HeldState };

/** Identifies a held call, and how often the client was asked before. */
export interface HeldState {
  readonly id: string;
  readonly round: number;
}

/** A request of the client: the one that started the call, or one that brings answers. */
interface HeldRequest {
  readonly caller: Caller;
  /** Aborts if the client disconnects before this request is answered. */
  readonly signal: AbortSignal;
}

/**
 * Calls to upstreams with protocol versions up to 2025-11-25 that stay open while a client of 2026-07-28 collects
 * answers. The client's request ends with `input_required`, the request to the upstream continues, and the client's
 * next request brings the answers and waits for the result.
 */
export interface HeldCalls<T> {
  /** Starts a call. @param start makes the call; `abort` ends it if the client disconnects while a request waits */
  begin(request: HeldRequest, abort: AbortController, start: (ask: Ask) => Promise<T>): Promise<HeldOutcome<T>>;
  /** Continues a call. @returns undefined if the call is no longer held */
  resume(request: HeldRequest, state: HeldState, responses: McpObject | undefined): Promise<HeldOutcome<T>> | undefined;
  /** Ends the calls of callers for whom `faultOf` returns a reason. */
  endWhere(faultOf: (caller: Caller) => Fault | undefined): void;
}

type Ask = (question: UpstreamQuestion) => void;

interface HeldCall<T> {
  readonly id: string;
  readonly caller: Caller;
  /** The caller's key. */
  readonly owner: string;
  readonly abort: AbortController;
  readonly open: Map<string, UpstreamQuestion>;
  /** Functions to call when the call ends or has new questions. */
  readonly waiting: Set<() => void>;
  /** Number of the next question. */
  next: number;
  round: number;
  /** True if the client was asked, so that the call outlives its request. */
  isHeld: boolean;
  over: Promise<T> | undefined;
  stopSettling: (() => void) | undefined;
}

/** Questions within this time are sent together. (ms) */
const SETTLE_MS = 10;
/** How long a result is kept, in case the client did not receive it. (ms) */
const KEEP_MS = 60_000;
/** Maximum number of held calls of one owner, and of kept results. */
const MAX_HELD = 16;

/** The held calls of one owner. */
interface OwnerCalls<T> {
  /** Number of calls in progress. */
  open: number;
  /** Calls whose results are kept, oldest first. */
  readonly over: HeldCall<T>[];
}

export function createHeldCalls<T>(clock: Pick<Clock, "after">): HeldCalls<T> {
  const held = new Map<string, HeldCall<T>>();
  const owners = new Map<string, OwnerCalls<T>>();

  const hold = (call: HeldCall<T>, calls: OwnerCalls<T>) => {
    call.isHeld = true;
    held.set(call.id, call);
    owners.set(call.owner, calls);
    calls.open++;
  };
  /** Keeps the result of a call, in case the client does not receive it. */
  const keep = (call: HeldCall<T>) => {
    const calls = owners.get(call.owner)!;
    calls.open--;
    calls.over.push(call);
    if (calls.over.length > MAX_HELD) forget(calls.over[0]!, calls);
    clock.after(KEEP_MS, () => forget(call, calls));
  };
  const forget = (call: HeldCall<T>, calls: OwnerCalls<T>) => {
    if (!held.delete(call.id)) return;
    calls.over.splice(calls.over.indexOf(call), 1);
    if (calls.open === 0 && calls.over.length === 0) owners.delete(call.owner);
  };
  const wake = (call: HeldCall<T>) => {
    for (const look of [...call.waiting]) look();
  };

  const asked = (call: HeldCall<T>, question: UpstreamQuestion) => {
    if (!call.isHeld) {
      const calls = owners.get(call.owner) ?? { open: 0, over: [] };
      if (calls.open >= MAX_HELD) return question.refuse("too many calls of this caller wait for answers");
      hold(call, calls);
    }
    const key = `${question.method.split("/")[0]}-${call.next++}`;
    call.open.set(key, question);
    question.onWithdrawn = () => void call.open.delete(key);
    call.stopSettling?.();
    call.stopSettling = clock.after(SETTLE_MS, () => {
      call.stopSettling = undefined;
      wake(call);
    });
  };

  const ended = (call: HeldCall<T>, over: Promise<T>) => {
    call.over = over;
    call.open.clear();
    if (call.isHeld) keep(call);
    wake(call);
  };

  /** Waits until the call has ended or has questions. */
  const next = (call: HeldCall<T>, { signal }: HeldRequest) =>
    new Promise<HeldOutcome<T>>((done, fail) => {
      const end = () => {
        call.waiting.delete(look);
        signal.removeEventListener("abort", left);
      };
      const look = () => {
        if (call.over) {
          end();
          call.over.then((result) => done({ done: result }), fail);
        } else if (call.open.size > 0 && !call.stopSettling) {
          end();
          done({ questions: new Map(call.open), state: { id: call.id, round: call.round } });
        }
      };
      // A client that disconnects while its request waits cancels the call. A client that was asked has no request
      // waiting.
      const left = () => {
        call.abort.abort(signal.reason);
      };
      call.waiting.add(look);
      signal.addEventListener("abort", left, { once: true });
      if (signal.aborted) left();
      look();
    });

  return {
    begin(request, abort, start) {
      const call: HeldCall<T> = {
        id: randomUUID(),
        caller: request.caller,
        owner: ownerKey(request.caller),
        abort,
        open: new Map(),
        waiting: new Set(),
        next: 1,
        round: 0,
        isHeld: false,
        over: undefined,
        stopSettling: undefined,
      };
      const over = start((question) => asked(call, question));
      over.then(
        () => ended(call, over),
        () => ended(call, over),
      );
      return next(call, request);
    },
    resume(request, { id, round }, responses = {}) {
      const call = held.get(id);
      if (!call || call.owner !== ownerKey(request.caller)) return undefined;
      // The client may repeat a request after losing the response; then the answers were already passed on.
      if (round === call.round) {
        for (const [key, question] of [...call.open]) {
          const result = Object.hasOwn(responses, key) ? (responses[key] as McpObject) : undefined;
          if (!result) continue;
          call.open.delete(key);
          question.answer({ result });
        }
        if (call.open.size === 0) call.round++;
      }
      return next(call, request);
    },
    endWhere(faultOf) {
      for (const { abort, caller, over } of held.values()) {
        const fault = over ? undefined : faultOf(caller);
        if (fault) abort.abort(fault);
      }
    },
  };
}
