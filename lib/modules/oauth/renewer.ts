import type { Clock } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import { SignInMissing } from "../../core/upstream/authorization.ts";
import type { Credentials, Tokens } from "./credentials.ts";
import type { KeptCredentials } from "./kept-credentials.ts";
import type { Refusal } from "./refusal.ts";

export interface RenewerOptions {
  clock: Clock;
  /** One renewal. @throws `Refused` */
  renew(now: Credentials, tokens: Tokens & { refresh: string }): Promise<Tokens>;
  /** Whether somebody may need a token soon, so that it is renewed ahead of time. */
  wanted(): boolean;
  renewed(expiresAt: number | undefined): void;
  renewalFailed(refusal: Refusal, final: boolean): void;
  /** What anybody may see of it changed. */
  changed(): void;
}

/** A refusal on its way. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.text, options);
    this.refusal = refusal;
  }
}

/** Renews one owner's tokens at one server, ahead of their end and when asked; one renewal at a time. */
export interface Renewer {
  /** Joins the renewal that is under way, else begins one. @throws why there is no new token */
  renew(): Promise<void>;
  /** The same for somebody who waits: one that failed a moment ago is not tried again for everybody who asks. */
  hurried(): Promise<void>;
  /** Appoints the next one, by what is in memory. */
  schedule(): void;
  /** When one that failed is tried again, and why it failed. */
  retry(): UpstreamSignIn["retry"];
  forgotten(): void;
  stop(): void;
}

/** Renewed when this part of its life has passed. (reference 6.4) */
const LIFE_PART = 0.75;
/** Least time between two renewals, and after a failed one before a request may ask for another. (ms) */
export const MIN_DELAY_MS = 5000;
/** After a failed renewal: the first wait and the longest. (ms; reference 6.4) */
const BACKOFF_MS = [10_000, 300_000] as const;
/** The platform's timers know no longer one. (ms) */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createRenewer(options: RenewerOptions, kept: KeptCredentials): Renewer {
  const { clock } = options;
  let renewing: Promise<void> | undefined;
  let failures = 0;
  let retry: UpstreamSignIn["retry"];
  let cancelTimer = () => {};
  let stopped = false;

  const schedule = () => {
    cancelTimer();
    cancelTimer = () => {};
    const { tokens } = kept.now() ?? {};
    if (stopped || tokens?.expires_at === undefined) return;
    if (!tokens.refresh) {
      tellEnd(tokens.expires_at);
      return;
    }
    const ahead = tokens.obtained_at + LIFE_PART * (tokens.expires_at - tokens.obtained_at);
    const due = Math.max(retry?.at ?? 0, ahead, tokens.obtained_at + MIN_DELAY_MS);
    const ms = Math.max(0, due - clock.now());
    cancelTimer = clock.after(Math.min(ms, MAX_TIMER_MS), () => {
      if (ms > MAX_TIMER_MS) schedule();
      else if (options.wanted()) renew().catch(() => {});
    });
  };

  /** Nothing renews this token: that it has ended is seen by whoever watches when it happens. */
  const tellEnd = (endsAt: number) => {
    const ms = endsAt - clock.now();
    if (ms <= 0) return;
    cancelTimer = clock.after(Math.min(ms, MAX_TIMER_MS), () => {
      if (ms > MAX_TIMER_MS) schedule();
      else options.changed();
    });
  };

  const renew = (): Promise<void> => {
    renewing ??= once().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const once = async () => {
    if (kept.isUnsaved()) {
      await kept.change((now) => now);
      return;
    }
    const before = await kept.read();
    const tokens = before?.tokens;
    if (!before || !tokens?.refresh) throw new SignInMissing("no user is signed in");
    let fresh: Tokens;
    try {
      fresh = await options.renew(before, { ...tokens, refresh: tokens.refresh });
    } catch (error) {
      await settle(tokens, error instanceof Refused ? error.refusal : { kind: "passing", text: reasonOf(error) });
      throw error;
    }
    failures = 0;
    retry = undefined;
    await kept.change((now) => {
      // Somebody signed in again or out meanwhile.
      if (now.tokens?.refresh !== tokens.refresh) return now;
      const { ended: _, ...rest } = now;
      return { ...rest, tokens: fresh };
    });
    options.renewed(fresh.expires_at);
  };
  const settle = async (tokens: Tokens, refusal: Refusal) => {
    const registered = kept.now()?.client?.registered === true;
    const final = refusal.kind === "grant" || (refusal.kind === "client" && registered);
    if (final) {
      retry = undefined;
      await end(tokens, refusal);
    } else {
      const ms = Math.min(BACKOFF_MS[1], BACKOFF_MS[0] * 2 ** Math.min(failures++, 10));
      retry = { at: clock.now() + ms, reason: refusal.text };
      schedule();
    }
    options.renewalFailed(refusal, final);
    options.changed();
  };
  /** Keeps what is still good without a way to renew it. */
  const end = (tokens: Tokens, refusal: Refusal) =>
    kept.change((now) => {
      if (now.tokens?.refresh !== tokens.refresh) return now;
      const { refresh: _, ...access } = tokens;
      const { client, ...rest } = now;
      return {
        ...rest,
        tokens: access,
        ended: { at: clock.now(), reason: refusal.text },
        ...(client && refusal.kind !== "client" && { client }),
      };
    });

  return {
    renew,
    schedule,
    async hurried() {
      const justNow = retry && retry.at - BACKOFF_MS[0] + MIN_DELAY_MS > clock.now();
      if (retry && !renewing && justNow) throw new Error(retry.reason);
      await renew();
    },
    retry: () => retry,
    forgotten() {
      retry = undefined;
    },
    stop() {
      stopped = true;
      cancelTimer();
    },
  };
}
