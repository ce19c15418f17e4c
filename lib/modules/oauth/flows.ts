import { timingSafeEqual } from "node:crypto";
import { CLOCK_SKEW_MS } from "../../core/base/clock.ts";
import { unknownFlow } from "./advice.ts";
import { type Credentials, type Pending, without } from "./credentials.ts";
import type { FlowName } from "./flow-fault.ts";
import type { Holders, Placed } from "./holders.ts";
import { nameOf, type OAuthContext } from "./oauth-context.ts";
import type { Place } from "./records.ts";

/** Maximum duration of a sign-in (ms). */
export const FLOW_MS = 600_000;

/** The sign-ins in progress. Each is identified by its state and can be finished once. */
export interface Flows {
  /**
   * Stores a sign-in in place of the previous one. @returns a promise that resolves when its response arrived, it was
   * replaced, or it timed out
   */
  open(holder: Placed, name: FlowName, pending: Pending): Promise<{ over: Promise<void> }>;
  /**
   * Claims the sign-in to which a response belongs, so that no other request can use it.
   *
   * @param expected the sign-in to which it belongs according to the user
   * @throws Fault code_flow_failed
   */
  claim(state: string, expected: Place | undefined): Promise<{ holder: Placed; pending: Pending }>;
  /** Ends the wait for a sign-in and removes it. */
  settle(state: string): Promise<void>;
  /** Records why a sign-in failed, for the user who began it. */
  failed(holder: Placed, name: FlowName, failure: { reason: string; suggestion: string; errorType?: string }): void;
  /** Ends all waits. */
  close(): void;
}

export function createFlows(around: OAuthContext, holders: Holders): Flows {
  const { clock, closing, config, events, log, records } = around;
  /** Functions that end the wait for a sign-in, by its state. */
  const waits = new Map<string, () => void>();

  const settle = async (state: string) => {
    waits.get(state)?.();
    await records.putFlow(state, undefined);
  };
  const failed: Flows["failed"] = (holder, { server, correlationId }, failure) => {
    const { reason, suggestion, errorType = "code_flow_failed" } = failure;
    log.warn(`sign-in to server "${server}" failed: ${reason}`, { server, correlation_id: correlationId });
    holder.failed({ errorType, reason, suggestion, correlationId, at: clock.now() });
    events.publish("oauth.login_failed", { server_name: server, error: reason, correlation_id: correlationId });
  };
  const expire = async (holder: Placed, name: FlowName, state: string) => {
    let expired = false;
    try {
      await holder.change((now) => {
        expired = now.pending?.state === state;
        return expired ? without(now, "pending") : now;
      });
    } finally {
      // The wait ends, and its listener with it, also if the end cannot be stored.
      await settle(state);
    }
    if (expired)
      failed(holder, name, { reason: "it was not finished in the browser in time", suggestion: "start again" });
  };

  const endElsewhere = async (state: string) => {
    if ((await records.flow(state)) === undefined) waits.get(state)?.();
  };
  const stopFollowing = records.shared?.onFlowChange((isOf) => {
    for (const state of waits.keys()) if (isOf(state)) log.catch("following a sign-in", endElsewhere(state));
  });

  return {
    async open(holder, name, pending) {
      const { state } = pending;
      await records.putFlow(state, holder.place);
      let replaced: string | undefined;
      await holder
        .change((now): Credentials => {
          replaced = now.pending?.state;
          return { ...now, pending, unfinished: true };
        })
        .catch(async (error: unknown) => {
          await records.putFlow(state, undefined);
          throw error;
        });
      if (replaced !== undefined) await settle(replaced);
      holder.failed(undefined);
      // Wrapped in an object, so that awaiting the result does not await the promise.
      const over = new Promise<void>((done) => {
        const cancel = clock.after(FLOW_MS, () => log.catch("ending a sign-in", expire(holder, name, state)));
        waits.set(state, () => {
          cancel();
          waits.delete(state);
          done();
        });
      });
      return { over };
    },
    async claim(state, expected) {
      const place = state === "" ? undefined : await records.flow(state);
      if (!place || !belongs(place, expected) || !config.server(place.server))
        throw unknownFlow(nameOf(around, expected?.server ?? "", ""), expected);
      const holder = holders.of(place.server, place.owner);
      let taken: Pending | undefined;
      // A response that is sent to two replicas at once is taken by one of them.
      const exclusively = <T>(work: () => Promise<T>) =>
        records.shared ? records.shared.exclusively(place, work, closing) : work();
      const take = (now: Credentials) => {
        taken = now.pending && sameText(now.pending.state, state) ? now.pending : undefined;
        if (taken) holder.finishing(taken);
        return taken ? without(now, "pending") : now;
      };
      await exclusively(() => holder.change(take));
      await settle(state);
      // Another replica may have begun it, by its own clock.
      const skewMs = records.shared ? CLOCK_SKEW_MS : 0;
      const isLate = taken !== undefined && taken.expires_at + skewMs <= clock.now();
      if (isLate) holder.finishing(undefined);
      if (!taken || isLate) throw unknownFlow(nameOf(around, place.server, ""), place);
      return { holder, pending: taken };
    },
    settle,
    failed,
    close() {
      stopFollowing?.();
      for (const done of [...waits.values()]) done();
    },
  };
}

/**
 * Whether a response belongs to the expected sign-in. The response to a single user's sign-in is accepted only from
 * that user's browser, which states the user; see login of the team module.
 */
function belongs(place: Place, expected: Place | undefined): boolean {
  return expected ? place.server === expected.server && place.owner === expected.owner : place.owner === "";
}

function sameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
