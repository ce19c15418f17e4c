import type { Clock } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import { SignInMissing } from "../../core/upstream/authorization.ts";
import type { Credentials, Tokens } from "./credentials.ts";
import type { KeptCredentials } from "./kept-credentials.ts";
import type { Refusal } from "./refusal.ts";
import { isRenewable } from "./sign-in-state.ts";

export interface RenewerOptions {
  clock: Clock;
  /** Renews the tokens once. @throws Refused */
  renew(now: Credentials, tokens: Tokens): Promise<Tokens>;
  /** Whether a token may be needed soon, so that it is renewed before it expires. */
  wanted(): boolean;
  /**
   * Runs a renewal while no other replica renews the same tokens. Absent: nobody else has them.
   */
  exclusively?(work: () => Promise<void>): Promise<void>;
  renewed(expiresAt: number | undefined): void;
  renewalFailed(refusal: Refusal, final: boolean): void;
  /** Called when the visible state changes. */
  changed(): void;
}

/** An error that carries a refusal. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.text, options);
    this.refusal = refusal;
  }
}

/** Renews one owner's tokens at one server, before they expire and on demand; one renewal at a time. */
export interface Renewer {
  /** Joins the renewal in progress, or begins one. @throws why there is no new token */
  renew(): Promise<void>;
  /**
   * Renews for a waiting request: after a recent failure it fails at once, so that many requests do not cause many
   * attempts.
   */
  hurried(): Promise<void>;
  /** Schedules the next renewal by the credentials in memory. */
  schedule(): void;
  /** When a failed renewal is tried again, and why it failed. */
  retry(): UpstreamSignIn["retry"];
  forgotten(): void;
  stop(): void;
}

/** Part of a token's lifetime after which it is renewed (reference 6.4). */
const LIFE_PART = 0.75;
/** Minimum time between two renewals, and between a failed renewal and one that a request asks for (ms). */
export const MIN_DELAY_MS = 5000;
/** First and longest wait after a failed renewal (ms; reference 6.4). */
const BACKOFF_MS = [10_000, 300_000] as const;
/** Longest delay that the platform's timers support (ms). */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createRenewer(options: RenewerOptions, credentials: KeptCredentials): Renewer {
  const { clock } = options;
  let renewing: Promise<void> | undefined;
  let failures = 0;
  let retry: UpstreamSignIn["retry"];
  let cancelTimer = () => {};
  let stopped = false;

  const schedule = () => {
    cancelTimer();
    cancelTimer = () => {};
    const { tokens } = credentials.now() ?? {};
    if (stopped || tokens?.expires_at === undefined) return;
    if (!isRenewable(credentials.now())) {
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

  /** Reports the expiry of a token without a refresh token at the moment it happens. */
  const tellEnd = (endsAt: number) => {
    const ms = endsAt - clock.now();
    if (ms <= 0) return;
    cancelTimer = clock.after(Math.min(ms, MAX_TIMER_MS), () => {
      if (ms > MAX_TIMER_MS) schedule();
      else options.changed();
    });
  };

  const renew = (): Promise<void> => {
    const { exclusively } = options;
    renewing ??= (exclusively ? onceForAll(exclusively) : once()).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  /** Most sign-in servers accept a refresh token once, so only one replica may use it; the others read its result. */
  const onceForAll = async (exclusively: NonNullable<RenewerOptions["exclusively"]>) => {
    const seen = (await credentials.read())?.tokens;
    await exclusively(async () => {
      await credentials.reload();
      const stored = credentials.now()?.tokens;
      if (stored && seen && stored.access !== seen.access) {
        failures = 0;
        retry = undefined;
        schedule();
      } else await once();
    });
  };
  const once = async () => {
    if (credentials.isUnsaved()) {
      await credentials.change((now) => now);
      return;
    }
    const before = await credentials.read();
    const tokens = before?.tokens;
    if (!before || !tokens || !isRenewable(before)) throw new SignInMissing("no user is signed in");
    let renewed: Tokens;
    try {
      renewed = await options.renew(before, tokens);
    } catch (error) {
      await settle(tokens, error instanceof Refused ? error.refusal : { kind: "passing", text: reasonOf(error) });
      throw error;
    }
    failures = 0;
    retry = undefined;
    await credentials.change((now) => {
      // A user signed in or out in the meantime.
      if (!isSame(now.tokens, tokens)) return now;
      const { ended: _, ...rest } = now;
      return { ...rest, tokens: renewed };
    });
    options.renewed(renewed.expires_at);
  };
  const settle = async (tokens: Tokens, refusal: Refusal) => {
    const registered = credentials.now()?.client?.registered === true;
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
  /** Removes the refresh token and keeps an access token that is still valid. */
  const end = (tokens: Tokens, refusal: Refusal) =>
    credentials.change((now) => {
      if (!isSame(now.tokens, tokens)) return now;
      const { refresh: _, ...access } = tokens;
      const { client, grant: __, ...rest } = now;
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

const isSame = (now: Tokens | undefined, tokens: Tokens) =>
  now?.access === tokens.access && now.refresh === tokens.refresh;
