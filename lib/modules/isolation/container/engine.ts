import type { Clock } from "../../../core/base/clock.ts";
import { reasonOf } from "../../../core/base/fault.ts";
import type { Logger } from "../../../core/log/logger.ts";
import { type EngineApi, EngineError, engineApi } from "./api.ts";
import { type EngineAddress, engineAddresses } from "./engine-address.ts";
import { type Mark, markOf } from "./mark.ts";

/** What asking for a container engine found. */
interface EngineState {
  available: boolean;
  /** Where it was asked: a socket's path or an address. */
  at?: string;
  /** Such as `Docker 27.3.1`. */
  version?: string;
  /** Why there is none. */
  error?: string;
  /** When it was asked (ms). */
  askedAt: number;
  /** When one answered last (ms). */
  answeredAt?: number;
}

/** How waiting for an engine goes that is needed and does not answer (spec 000 §2.7). */
interface Recovery {
  /** It is needed, does not answer, and is asked again and again. */
  active: boolean;
  /** In a row. */
  failures: number;
  /** Since it answered last. */
  attempts: number;
}

/** The container engine of this machine: Docker, or what speaks its protocol, such as Podman. */
export interface Engine {
  /** Carried, as labels, by every container that this run makes. */
  readonly mark: Mark;
  /** Images that are being fetched, by name. */
  readonly fetching: Map<string, Promise<void>>;
  /** Asks it; an answer younger than five seconds is given again. Never fails. */
  state(): Promise<EngineState>;
  /** The way to give it orders; undefined while none answers. */
  api(): Promise<EngineApi | undefined>;
  /** `fn` is told of an engine before the first order goes to it. */
  onUse(fn: (place: EngineAddress) => void): void;
  recovery(): Recovery;
  /** Watches it from now on as long as `needed` says so; `onUp` is told when it answers again. @returns ends it */
  follow(needed: () => boolean, onUp: () => void): () => void;
}

interface EngineOptions {
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  /** Whose containers these are. */
  dataDir?: string;
  platform?: NodeJS.Platform;
  /** Longest wait for all that is asked (ms). */
  patienceMs?: number;
  log?: Logger;
}

/** How long an answer counts. (ms) */
const FRESH_MS = 5000;
/** Between two looks at one that answers (ms; reference 4.6). */
const WATCH_MS = 30_000;
/** Between two looks at one that does not; the last counts from then on. (ms) */
const RETRY_MS = [2000, 5000, 10_000, 30_000, 60_000] as const;
/** Longest wait for a daemon's answer. (ms) */
const TIMEOUT_MS = 2000;
/** The same, of whoever needs it: one that is being woken takes longer. (ms) */
const START_TIMEOUT_MS = 10_000;

export function createEngine(options: EngineOptions): Engine {
  const { clock, log, patienceMs = TIMEOUT_MS } = options;
  const used = new Set<string>();
  const users: ((place: EngineAddress) => void)[] = [];
  let last: EngineState | undefined;
  let asking: Promise<EngineState> | undefined;
  const recovery: Recovery = { active: false, failures: 0, attempts: 0 };
  const ask = async (patience: number): Promise<EngineState> => {
    const found = await firstAnswer(engineAddresses(options), patience);
    const askedAt = clock.now();
    const answeredAt = found.available ? askedAt : last?.answeredAt;
    last = { ...found, askedAt, ...(answeredAt !== undefined && { answeredAt }) };
    recovery.failures = found.available ? 0 : recovery.failures + 1;
    recovery.attempts = found.available ? 0 : recovery.attempts + 1;
    return last;
  };
  const fresh = (patience = patienceMs) => {
    asking ??= ask(patience).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const state = async () => (last && clock.now() - last.askedAt < FRESH_MS ? last : await fresh());

  return {
    mark: markOf(options.dataDir ?? ""),
    fetching: new Map(),
    state,
    onUse: (fn) => void users.push(fn),
    async api() {
      // One that was not there a moment ago is asked anew: somebody may be waiting for it.
      let { available, at } = last?.available ? await state() : await fresh();
      if (!available) ({ available, at } = await fresh(START_TIMEOUT_MS));
      const place = available ? engineAddresses(options).find((one) => one.at === at) : undefined;
      if (!place) return undefined;
      if (!used.has(place.at)) for (const fn of users) fn(place);
      used.add(place.at);
      return engineApi(place);
    },
    // Whoever asked it last may have found it back before the next look did.
    recovery: () => ({ ...recovery, active: recovery.active && last?.available !== true }),
    follow(needed, onUp) {
      let cancel: (() => void) | undefined;
      let over = false;
      const look = async () => {
        if (!needed()) recovery.active = false;
        else {
          const { available, error } = await fresh();
          if (!available && !recovery.active) log?.warn(`the container engine is not available: ${error}`);
          if (available && recovery.active) {
            log?.info("the container engine is available again");
            onUp();
          }
          recovery.active = !available;
        }
        const pause = recovery.active
          ? RETRY_MS[Math.min(Math.max(recovery.failures, 1), RETRY_MS.length) - 1]!
          : WATCH_MS;
        if (!over) cancel = clock.after(pause, () => void look());
      };
      cancel = clock.after(0, () => void look());
      return () => {
        over = true;
        cancel?.();
      };
    },
  };
}

type Found = Pick<EngineState, "available" | "at" | "version" | "error">;

/** All are asked at once; the first in order that answers counts. */
async function firstAnswer(where: readonly EngineAddress[], patienceMs: number): Promise<Found> {
  const none = { available: false, error: "DOCKER_HOST names an engine that only its own client can reach" };
  const answers = await Promise.all(where.map((place) => version(place, patienceMs)));
  return (
    answers.find(({ available }) => available) ??
    answers.find(({ error }) => !ABSENT.test(error ?? "")) ??
    answers[0] ??
    none
  );
}

const ABSENT = /ENOENT/;

/** Largest answer that may be a version. (bytes) */
const MAX_BYTES = 256 * 1024;

async function version(place: EngineAddress, patienceMs: number): Promise<Found> {
  const { at } = place;
  const signal = AbortSignal.timeout(patienceMs);
  try {
    return { at, ...judged(await engineApi(place).ask("GET", "/version", { signal, most: MAX_BYTES })) };
  } catch (error) {
    const { status, cause } = error instanceof EngineError ? error : {};
    const reason = signal.aborted
      ? `${at} did not respond within ${patienceMs} ms`
      : status !== undefined
        ? `it responded with status ${status}`
        : reasonOf(cause ?? error);
    return { available: false, at, error: reason };
  }
}

function judged(answer: unknown): Found {
  const said = Object(answer) as { Version?: unknown; Components?: { Name?: unknown }[] };
  if (typeof said.Version !== "string") return { available: false, error: "its response has no version" };
  const podman = /podman/i.test(String(said.Components?.[0]?.Name ?? ""));
  return { available: true, version: `${podman ? "Podman" : "Docker"} ${said.Version}` };
}
