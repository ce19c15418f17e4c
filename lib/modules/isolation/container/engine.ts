import type { Clock } from "../../../core/base/clock.ts";
import { reasonOf } from "../../../core/base/fault.ts";
import type { Logger } from "../../../core/log/logger.ts";
import { type EngineApi, EngineError, engineApi } from "./api.ts";
import { type EngineAddress, engineAddresses } from "./engine-address.ts";
import { type Mark, markOf } from "./mark.ts";

/** The result of checking for a container engine. */
interface EngineState {
  available: boolean;
  /** The checked address: a socket's path or a URL. */
  at?: string;
  /** Name and version, such as `Docker 27.3.1`. */
  version?: string;
  /** Why no engine is available. */
  error?: string;
  /** Time of the check (ms). */
  askedAt: number;
  /** Time of the last response (ms). */
  answeredAt?: number;
}

/** The state of reconnecting to an engine that is needed and does not respond (spec 000 §2.7). */
interface Recovery {
  /** Whether the engine is needed, does not respond, and is checked repeatedly. */
  active: boolean;
  /** Consecutive failures. */
  failures: number;
  /** Checks since the last response. */
  attempts: number;
}

/** The container engine of this machine: Docker, or a program with the same API, such as Podman. */
export interface Engine {
  /** The labels of every container that this process creates. */
  readonly mark: Mark;
  /** Images that are being downloaded, by name. */
  readonly fetching: Map<string, Promise<void>>;
  /** Checks the engine; a result younger than five seconds is returned again. Never fails. */
  state(): Promise<EngineState>;
  /** The API of the engine; undefined while it does not respond. */
  api(): Promise<EngineApi | undefined>;
  /** `fn` is called with the engine's address before the first request to it. */
  onUse(fn: (place: EngineAddress) => void): void;
  recovery(): Recovery;
  /**
   * Checks the engine regularly while `needed` returns true, and calls `onUp` when it responds again. @returns a
   * function that stops the checks
   */
  follow(needed: () => boolean, onUp: () => void): () => void;
}

interface EngineOptions {
  clock: Clock;
  env: Readonly<Record<string, string | undefined>>;
  /** The data directory, which identifies the proxy's containers. */
  dataDir?: string;
  /** Timeout of a check of all addresses (ms). */
  timeoutMs?: number;
  log?: Logger;
}

/** How long a result is valid (ms). */
const FRESH_MS = 5000;
/** Interval between checks of an engine that responds (ms; reference 4.6). */
const WATCH_MS = 30_000;
/** Intervals between checks of an engine that does not respond; the last one repeats (ms). */
const RETRY_MS = [2000, 5000, 10_000, 30_000, 60_000] as const;
/** Timeout of a check (ms). */
const TIMEOUT_MS = 2000;
/** Timeout of a check when a server needs the engine: one that is being started takes longer (ms). */
const START_TIMEOUT_MS = 10_000;

export function createEngine(options: EngineOptions): Engine {
  const { clock, log, timeoutMs = TIMEOUT_MS } = options;
  const used = new Set<string>();
  const users: ((place: EngineAddress) => void)[] = [];
  let last: EngineState | undefined;
  let asking: Promise<EngineState> | undefined;
  const recovery: Recovery = { active: false, failures: 0, attempts: 0 };
  const ask = async (waitMs: number): Promise<EngineState> => {
    const found = await firstAnswer(engineAddresses(options.env), waitMs);
    const askedAt = clock.now();
    const answeredAt = found.available ? askedAt : last?.answeredAt;
    const { isAbsent: _, ...state } = found;
    last = { ...state, askedAt, ...(answeredAt !== undefined && { answeredAt }) };
    recovery.failures = found.available ? 0 : recovery.failures + 1;
    recovery.attempts = found.available ? 0 : recovery.attempts + 1;
    return last;
  };
  const checkNow = (waitMs = timeoutMs) => {
    asking ??= ask(waitMs).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const state = async () => (last && clock.now() - last.askedAt < FRESH_MS ? last : await checkNow());

  return {
    mark: markOf(options.dataDir ?? ""),
    fetching: new Map(),
    state,
    onUse: (fn) => void users.push(fn),
    async api() {
      // An engine that did not respond a moment ago is checked again, because a server may be waiting for it.
      let { available, at } = last?.available ? await state() : await checkNow();
      if (!available) ({ available, at } = await checkNow(START_TIMEOUT_MS));
      const place = available ? engineAddresses(options.env).find((one) => one.at === at) : undefined;
      if (!place) return undefined;
      if (!used.has(place.at)) for (const fn of users) fn(place);
      used.add(place.at);
      return engineApi(place);
    },
    // Another check may have found the engine again before the regular one.
    recovery: () => ({ ...recovery, active: recovery.active && last?.available !== true }),
    follow(needed, onUp) {
      let cancel: (() => void) | undefined;
      let over = false;
      const look = async () => {
        if (!needed()) recovery.active = false;
        else {
          const { available, error } = await checkNow();
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

interface Found extends Pick<EngineState, "available" | "at" | "version" | "error"> {
  /** There is no socket at the address. */
  readonly isAbsent?: boolean;
}

/** Checks all addresses in parallel; the first in order that responds is used. */
async function firstAnswer(where: readonly EngineAddress[], timeoutMs: number): Promise<Found> {
  const none = { available: false, error: "DOCKER_HOST names an engine that only its own client can reach" };
  const answers = await Promise.all(where.map((place) => version(place, timeoutMs)));
  return (
    answers.find(({ available }) => available) ??
    answers.find(({ isAbsent }) => isAbsent !== true) ??
    answers[0] ??
    none
  );
}

/** Largest version response that is read (bytes). */
const MAX_BYTES = 256 * 1024;

async function version(place: EngineAddress, timeoutMs: number): Promise<Found> {
  const { at } = place;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return { at, ...judged(await engineApi(place).ask("GET", "/version", { signal, most: MAX_BYTES })) };
  } catch (error) {
    const { status, cause } = error instanceof EngineError ? error : {};
    const reason = signal.aborted
      ? `${at} did not respond within ${timeoutMs} ms`
      : status !== undefined
        ? `it responded with status ${status}`
        : reasonOf(cause ?? error);
    const isAbsent = (cause as { code?: unknown } | undefined)?.code === "ENOENT";
    return { available: false, at, error: reason, isAbsent };
  }
}

function judged(answer: unknown): Found {
  const version = Object(answer) as { Version?: unknown; Components?: { Name?: unknown }[] };
  if (typeof version.Version !== "string") return { available: false, error: "its response has no version" };
  const podman = /podman/i.test(String(version.Components?.[0]?.Name ?? ""));
  return { available: true, version: `${podman ? "Podman" : "Docker"} ${version.Version}` };
}
