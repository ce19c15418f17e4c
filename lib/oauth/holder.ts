import type { Clock } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import { type Bearer, SignInMissing } from "./bearer.ts";
import { bearerChallenge, type Challenge } from "./challenge.ts";
import type { Credentials, Pending, Tokens } from "./credentials.ts";
import type { Refusal } from "./refusal.ts";
import type { SignIn } from "./sign-in.ts";
import { isGoodAt, standOf } from "./stand.ts";

export interface HolderOptions {
  clock: Clock;
  read(): Promise<Credentials | undefined>;
  /** Durable when it resolves. */
  write(next: Credentials | undefined): Promise<void>;
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

/** The credentials of one owner at one server, in memory and at rest, and the one renewal that may be under way. */
export interface Holder {
  /** As kept; read once. @throws what is kept cannot be opened */
  read(): Promise<Credentials | undefined>;
  /** What is kept cannot be opened, and whoever signs in or out now replaces it. */
  discard(): void;
  /** Changes them, one change after the other; in force when it is durable. */
  change(edit: (now: Credentials) => Credentials | undefined): Promise<Credentials>;
  bearer(serverUrl: string): Bearer;
  /** The server's last challenge. */
  challenge(): Challenge | undefined;
  status(): SignIn;
  failed(failure: NonNullable<SignIn["failure"]> | undefined): void;
  /** The browser came back, and what it brought is being exchanged: that is still the same sign-in. */
  finishing(pending: Pending | undefined): void;
  /** Counts the times that everything was forgotten, so that what was under way then is not kept. */
  readonly epoch: number;
  forgotten(): void;
  stop(): void;
}

/** Renewed when this part of its life has passed. (reference 6.4) */
const LIFE_PART = 0.75;
/** Least time between two renewals, and after a failed one before a request may ask for another. (ms) */
const LEAST_MS = 5000;
/** After a failed renewal: the first wait and the longest. (ms; reference 6.4) */
const BACKOFF_MS = [10_000, 300_000] as const;
/** The platform's timers know no longer one. (ms) */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createHolder(options: HolderOptions): Holder {
  const { clock } = options;
  let record: Credentials | undefined;
  let reading: Promise<void> | undefined;
  let isRead = false;
  let unsaved: Credentials | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let renewing: Promise<void> | undefined;
  let failures = 0;
  let retry: SignIn["retry"];
  let failure: SignIn["failure"];
  let challenge: Challenge | undefined;
  let exchanged: Pending | undefined;
  let cancelTimer = () => {};
  let stopped = false;
  let epoch = 0;
  let header: { of: string; text: string } | undefined;

  const read = async () => {
    reading ??= options.read().then(
      (found) => {
        record = found;
        isRead = true;
        schedule();
      },
      (error: unknown) => {
        reading = undefined;
        throw error;
      },
    );
    await reading;
    return record;
  };
  const put = async (next: Credentials | undefined) => {
    // A renewed token exists once: should the disk refuse it now, it is written before anything else happens.
    unsaved = next ?? {};
    await options.write(next);
    unsaved = undefined;
    record = next;
    schedule();
    options.changed();
  };
  const change = (edit: (now: Credentials) => Credentials | undefined): Promise<Credentials> => {
    const done = turn.then(async () => {
      const next = edit(unsaved ?? (await read()) ?? {});
      await put(next);
      return next ?? {};
    });
    turn = done.catch(() => undefined);
    return done;
  };

  const schedule = () => {
    cancelTimer();
    cancelTimer = () => {};
    const { tokens } = record ?? {};
    if (stopped || !tokens?.refresh || tokens.expires_at === undefined) return;
    const ahead = tokens.obtained_at + LIFE_PART * (tokens.expires_at - tokens.obtained_at);
    const due = Math.max(retry?.at ?? 0, ahead, tokens.obtained_at + LEAST_MS);
    const ms = Math.max(0, due - clock.now());
    cancelTimer = clock.after(Math.min(ms, LONGEST_TIMER_MS), () => {
      if (ms > LONGEST_TIMER_MS) schedule();
      else if (options.wanted()) renew().catch(() => {});
    });
  };

  /** One at a time, whoever asks. */
  const renew = (): Promise<void> => {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const renewOnce = async () => {
    if (unsaved) {
      await change((now) => now);
      return;
    }
    const before = await read();
    const tokens = before?.tokens;
    if (!before || !tokens?.refresh) throw new SignInMissing("nobody is signed in");
    let fresh: Tokens;
    try {
      fresh = await options.renew(before, { ...tokens, refresh: tokens.refresh });
    } catch (error) {
      await settle(tokens, error instanceof Refused ? error.refusal : { kind: "passing", text: reasonOf(error) });
      throw error;
    }
    failures = 0;
    retry = undefined;
    await change((now) => {
      // Somebody signed in again or out meanwhile.
      if (now.tokens?.refresh !== tokens.refresh) return now;
      const { ended: _, ...rest } = now;
      return { ...rest, tokens: fresh };
    });
    options.renewed(fresh.expires_at);
  };
  const settle = async (tokens: Tokens, refusal: Refusal) => {
    const registered = record?.client?.registered === true;
    const final = refusal.kind === "grant" || (refusal.kind === "client" && registered);
    if (final) {
      retry = undefined;
      await change((now) => {
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
    } else {
      const ms = Math.min(BACKOFF_MS[1], BACKOFF_MS[0] * 2 ** Math.min(failures++, 10));
      retry = { at: clock.now() + ms, reason: refusal.text };
      schedule();
    }
    options.renewalFailed(refusal, final);
    options.changed();
  };

  const isGood = (tokens: Tokens) => isGoodAt(tokens, clock.now());
  const headerOf = (tokens: Tokens) => {
    if (header?.of !== tokens.access) header = { of: tokens.access, text: `Bearer ${tokens.access}` };
    return header.text;
  };

  return {
    read,
    change,
    challenge: () => challenge,
    get epoch() {
      return epoch;
    },
    forgotten() {
      epoch++;
      failure = undefined;
      retry = undefined;
    },
    discard() {
      if (isRead) return;
      reading = Promise.resolve();
      isRead = true;
    },
    finishing(pending) {
      exchanged = pending;
    },
    failed(next) {
      failure = next;
      options.changed();
    },
    bearer(serverUrl) {
      const mine = () => (record?.authority?.server_url === serverUrl ? record : undefined);
      const show = (): string | undefined | Promise<string | undefined> => {
        if (!isRead) return read().then(show);
        const now = mine();
        if (now?.signed_out) throw new SignInMissing("somebody signed out of it");
        const tokens = now?.tokens;
        if (!tokens) return undefined;
        if (isGood(tokens)) return headerOf(tokens);
        if (!tokens.refresh) return undefined;
        return renewed().then(show);
      };
      /** A renewal that failed a moment ago is not tried again for everybody who asks. */
      const renewed = async () => {
        const hurried = retry && retry.at - BACKOFF_MS[0] + LEAST_MS > clock.now();
        if (retry && !renewing && hurried) throw new Error(`its sign-in could not be renewed: ${retry.reason}`);
        await renew().catch((error: unknown) => {
          if (mine()?.ended) return;
          throw new Error(`its sign-in could not be renewed: ${reasonOf(error)}`, { cause: error });
        });
      };
      return {
        header: show,
        async refused(shown, said) {
          challenge = bearerChallenge(said) ?? challenge;
          await read();
          const tokens = mine()?.tokens;
          if (!tokens || mine()?.signed_out || shown === undefined) return false;
          if (headerOf(tokens) !== shown) return isGood(tokens) || tokens.refresh !== undefined;
          // What was just given out and is refused already, another one would not mend.
          const age = clock.now() - tokens.obtained_at;
          if (!tokens.refresh || (age >= 0 && age < LEAST_MS)) return false;
          await renewed();
          const now = mine()?.tokens;
          return now !== undefined && headerOf(now) !== shown;
        },
        lacking(said) {
          const found = bearerChallenge(said);
          if (found?.error !== "insufficient_scope") return undefined;
          // What it lacks is asked for beside what was granted, not in its place.
          if (found.resourceMetadata !== undefined)
            challenge = { ...challenge, resourceMetadata: found.resourceMetadata };
          const needs = (found.scope ?? "").split(" ").filter(Boolean).slice(0, 50);
          const now = mine();
          const all = [...new Set([...(now?.needs ?? []), ...needs])];
          if (now && all.length !== now.needs?.length) {
            // At once, for whoever signs in because of it; kept for after a restart.
            record = { ...now, needs: all };
            change((then) => ({ ...then, needs: all })).catch(() => {});
          }
          return needs.join(" ");
        },
      };
    },
    status: () => standOf({ record, exchanged, failure, retry }, clock.now()),
    stop() {
      stopped = true;
      cancelTimer();
    },
  };
}
