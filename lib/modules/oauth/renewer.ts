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
/** How long storing renewed tokens is repeated, and the pause between two attempts (ms). */
const SAVE_TIMEOUT_MS = 12_000;
const SAVE_PAUSE_MS = 200;
/** Longest delay that the platform's timers support (ms). */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createRenewer(options: RenewerOptions, credentials: KeptCredentials): Renewer {
  return new TokenRenewer(options, credentials);
}

/** A class, because each HTTP server has one: its functions as closures would take memory for each server. */
class TokenRenewer implements Renewer {
  private readonly options: RenewerOptions;
  private readonly credentials: KeptCredentials;
  private renewing: Promise<void> | undefined = undefined;
  private failures = 0;
  private next: UpstreamSignIn["retry"] = undefined;
  private cancelTimer: (() => void) | undefined = undefined;
  private stopped = false;

  constructor(options: RenewerOptions, credentials: KeptCredentials) {
    this.options = options;
    this.credentials = credentials;
  }

  renew(): Promise<void> {
    const { exclusively } = this.options;
    this.renewing ??= (exclusively ? this.onceForAll(exclusively) : this.once()).finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  schedule(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    const { tokens } = this.credentials.now() ?? {};
    if (this.stopped || tokens?.expires_at === undefined) return;
    const { clock } = this.options;
    if (!isRenewable(this.credentials.now())) {
      this.tellEnd(tokens.expires_at);
      return;
    }
    const ahead = tokens.obtained_at + LIFE_PART * (tokens.expires_at - tokens.obtained_at);
    const due = Math.max(this.next?.at ?? 0, ahead, tokens.obtained_at + MIN_DELAY_MS);
    const ms = Math.max(0, due - clock.now());
    this.cancelTimer = clock.after(Math.min(ms, MAX_TIMER_MS), () => {
      if (ms > MAX_TIMER_MS) this.schedule();
      else if (this.options.wanted()) this.renew().catch(() => {});
    });
  }

  async hurried(): Promise<void> {
    const { next } = this;
    const justNow = next && next.at - BACKOFF_MS[0] + MIN_DELAY_MS > this.options.clock.now();
    if (next && !this.renewing && justNow) throw new Error(next.reason);
    await this.renew();
  }

  retry(): UpstreamSignIn["retry"] {
    return this.next;
  }

  forgotten(): void {
    this.next = undefined;
  }

  stop(): void {
    this.stopped = true;
    this.cancelTimer?.();
  }

  /** Reports the expiry of a token without a refresh token at the moment it happens. */
  private tellEnd(endsAt: number): void {
    const { clock } = this.options;
    const ms = endsAt - clock.now();
    if (ms <= 0) return;
    this.cancelTimer = clock.after(Math.min(ms, MAX_TIMER_MS), () => {
      if (ms > MAX_TIMER_MS) this.schedule();
      else this.options.changed();
    });
  }

  /** Most sign-in servers accept a refresh token once, so only one replica may use it; the others read its result. */
  private async onceForAll(exclusively: NonNullable<RenewerOptions["exclusively"]>): Promise<void> {
    const { credentials } = this;
    const seen = (await credentials.read())?.tokens;
    await exclusively(async () => {
      await credentials.reload();
      const stored = credentials.now()?.tokens;
      if (stored && seen && stored.access !== seen.access) {
        this.failures = 0;
        this.next = undefined;
        this.schedule();
      } else await this.once();
    });
  }

  private async once(): Promise<void> {
    const { credentials, options } = this;
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
      await this.settle(tokens, error instanceof Refused ? error.refusal : { kind: "passing", text: reasonOf(error) });
      throw error;
    }
    this.failures = 0;
    this.next = undefined;
    await this.saved(
      credentials.changeSurely((now) => {
        // A user signed in or out in the meantime.
        if (!isSame(now.tokens, tokens)) return now;
        const { ended: _, ...rest } = now;
        return { ...rest, tokens: renewed };
      }),
    );
    options.renewed(renewed.expires_at);
  }

  /**
   * Waits until new tokens are stored. Other replicas would use the old ones again, which most sign-in servers take for
   * theft, so the attempt is repeated while nobody else may renew.
   */
  private async saved(first: Promise<unknown>): Promise<void> {
    const { clock, exclusively } = this.options;
    const until = clock.now() + SAVE_TIMEOUT_MS;
    for (let saving = first; ; saving = this.credentials.change((now) => now)) {
      try {
        await saving;
        return;
      } catch (error) {
        if (!exclusively || this.stopped || clock.now() >= until) throw error;
      }
      await new Promise<void>((done) => void clock.after(SAVE_PAUSE_MS, done));
    }
  }

  private async settle(tokens: Tokens, refusal: Refusal): Promise<void> {
    const registered = this.credentials.now()?.client?.registered === true;
    const final = refusal.kind === "grant" || (refusal.kind === "client" && registered);
    if (final) {
      this.next = undefined;
      await this.end(tokens, refusal);
    } else {
      const ms = Math.min(BACKOFF_MS[1], BACKOFF_MS[0] * 2 ** Math.min(this.failures++, 10));
      this.next = { at: this.options.clock.now() + ms, reason: refusal.text };
      this.schedule();
    }
    this.options.renewalFailed(refusal, final);
    this.options.changed();
  }

  /** Removes the refresh token and keeps an access token that is still valid. */
  private end(tokens: Tokens, refusal: Refusal): Promise<Credentials> {
    return this.credentials.change((now) => {
      if (!isSame(now.tokens, tokens)) return now;
      const { refresh: _, ...access } = tokens;
      const { client, grant: __, ...rest } = now;
      return {
        ...rest,
        tokens: access,
        ended: { at: this.options.clock.now(), reason: refusal.text },
        ...(client && refusal.kind !== "client" && { client }),
      };
    });
  }
}

const isSame = (now: Tokens | undefined, tokens: Tokens) =>
  now?.access === tokens.access && now.refresh === tokens.refresh;
