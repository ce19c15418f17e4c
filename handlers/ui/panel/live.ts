import { useEffect, useState } from "preact/hooks";
import { type Args, address, call, type Data, type GetRoute, type Route, reasonOf } from "./api.ts";
import { connection, MOVES, onEvent } from "./events.ts";
import { toast } from "./parts/toast.tsx";

/** What is known of one GET route with its arguments. */
export interface Answer<T> {
  /** The latest answer; it stays while a newer one is asked for, and when that fails. */
  data: T | undefined;
  /** Why the latest attempt failed. */
  error: Error | undefined;
  /** True until there is a first answer or failure. */
  loading: boolean;
  /** Asks anew. */
  refresh(): void;
}

interface Entry {
  route: GetRoute;
  args: Args<GetRoute>;
  data: unknown;
  error: Error | undefined;
  /** Grows with each answer and change, so that a late undo does not overwrite a newer one. */
  version: number;
  askedAt: number;
  /** An event came while nobody looked. */
  old: boolean;
  asking: AbortController | undefined;
  /** Resolves with the answer or failure that is waited for. */
  settled: Promise<void>;
  timer: ReturnType<typeof setTimeout> | undefined;
  listeners: Set<() => void>;
}

/** Events come by the thousand; an answer is asked for at most this often. (ms) */
const MIN_INTERVAL_MS = 1000;
/** Several events come together. (ms) */
const GATHER_MS = 60;
/** Answers nobody looks at that are kept, for the way back. */
const KEPT = 60;

const entries = new Map<string, Entry>();

onEvent(({ kind }) => {
  const moved = kind === "gap" || kind === "status" ? /\// : MOVES[kind];
  for (const entry of entries.values()) if (moved?.test(entry.route)) soon(entry);
});

/**
 * The answer of a GET route, kept up to date by the event stream. Components that ask the same share one answer.
 *
 * @param args undefined asks nothing
 */
export function useLive<R extends GetRoute>(route: R, args: Args<R> | undefined): Answer<Data<R>> {
  const key = args && address(route, args);
  const [, redraw] = useState(0);
  useEffect(() => {
    if (key === undefined || args === undefined) return;
    const entry = entryOf(route, args, key);
    const listener = () => redraw((n) => n + 1);
    entry.listeners.add(listener);
    if (entry.askedAt === 0 || entry.old) ask(entry);
    listener();
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size === 0) entry.old = true;
      forget();
    };
  }, [key]);
  const entry = key === undefined ? undefined : entries.get(key);
  return {
    data: entry?.data as Data<R> | undefined,
    error: entry?.error,
    loading: entry === undefined || (entry.data === undefined && entry.error === undefined),
    refresh: () => entry && ask(entry),
  };
}

function entryOf(route: GetRoute, args: Args<GetRoute>, key: string): Entry {
  let entry = entries.get(key);
  if (!entry) {
    entry = {
      route,
      args,
      data: undefined,
      error: undefined,
      version: 0,
      askedAt: 0,
      old: false,
      asking: undefined,
      settled: Promise.resolve(),
      timer: undefined,
      listeners: new Set(),
    };
    entries.set(key, entry);
  }
  return entry;
}

function forget(): void {
  const unused = [...entries].filter(([, e]) => e.listeners.size === 0);
  for (const [key, entry] of unused.slice(0, Math.max(0, unused.length - KEPT))) {
    clearTimeout(entry.timer);
    entry.asking?.abort();
    entries.delete(key);
  }
}

/** Forgets everything, when another person signs in. */
export function clearLive(): void {
  for (const entry of entries.values()) {
    clearTimeout(entry.timer);
    entry.asking?.abort();
  }
  entries.clear();
}

function soon(entry: Entry): void {
  if (entry.listeners.size === 0) {
    entry.old = true;
    return;
  }
  entry.timer ??= setTimeout(
    () => {
      entry.timer = undefined;
      ask(entry);
    },
    Math.max(GATHER_MS, entry.askedAt + MIN_INTERVAL_MS - Date.now()),
  );
}

function ask(entry: Entry): void {
  clearTimeout(entry.timer);
  entry.timer = undefined;
  entry.asking?.abort();
  const asking = new AbortController();
  entry.asking = asking;
  entry.askedAt = Date.now();
  entry.old = false;
  const settle = (change: Partial<Entry>) => {
    if (entry.asking !== asking) return;
    entry.asking = undefined;
    Object.assign(entry, change, { version: entry.version + 1 });
    for (const listener of [...entry.listeners]) listener();
  };
  entry.settled = call(entry.route, entry.args, { signal: asking.signal }).then(
    (data) => {
      settle({ data, error: undefined });
      if (entry.data === data) askAgainIfOld(entry);
    },
    (error: Error) => settle({ error }),
  );
}

/**
 * While counting takes long, the proxy repeats a recent result and gives its age. What happened since is not in it, and
 * perhaps no further event comes: so a newer result is asked for, later the older the one at hand.
 */
function askAgainIfOld(entry: Entry): void {
  const ageMs = (entry.data as { freshness_ms?: number } | undefined)?.freshness_ms ?? 0;
  if (ageMs === 0 || entry.listeners.size === 0) return;
  entry.timer ??= setTimeout(() => ask(entry), Math.max(MIN_INTERVAL_MS, ageMs));
}

/** Asks anew and waits for the answer: after it, what was just made is known. */
export async function fresh<R extends GetRoute>(route: R, args: Args<R>): Promise<void> {
  const entry = entryOf(route, args, address(route, args));
  ask(entry);
  await entry.settled;
}

/** Asks anew for every answer whose route fits, where somebody looks at it. */
export function refresh(routes: RegExp): void {
  for (const entry of entries.values()) if (routes.test(entry.route)) soon(entry);
}

/** A change of a known answer, ahead of the proxy's own word. */
export interface Patch {
  apply(): () => void;
}

/** Shows an answer as it will be: `change` makes the new data of the old and leaves that as it is. */
export function patch<R extends GetRoute>(route: R, args: Args<R>, change: (data: Data<R>) => Data<R>): Patch {
  return {
    apply() {
      const entry = entries.get(address(route, args));
      if (entry?.data === undefined) return () => {};
      const before = entry.data;
      // An answer on its way was given before the change.
      entry.asking?.abort();
      entry.asking = undefined;
      entry.data = change(before as Data<R>);
      const version = ++entry.version;
      for (const listener of [...entry.listeners]) listener();
      return () => {
        if (entry.version === version) {
          entry.data = before;
          for (const listener of [...entry.listeners]) listener();
        } else soon(entry);
      };
    },
  };
}

interface ActOptions<R extends Route> {
  /** What is shown at once; taken back when the proxy refuses. */
  patches?: readonly Patch[];
  /** What is said when it is done; nothing when left out. */
  done?: string | ((data: Data<R>) => string);
  /** Takes it back, offered beside `done`. */
  undo?: () => Promise<unknown>;
}

/**
 * Does something: shown at once, taken back when it fails, told in a toast either way.
 *
 * @returns what the proxy answered; undefined when it refused
 */
export async function act<R extends Route>(
  route: R,
  args: Args<R>,
  { patches = [], done, undo }: ActOptions<R> = {},
): Promise<Data<R> | undefined> {
  const rollbacks = patches.map((p) => p.apply());
  try {
    const data = await call(route, args);
    if (done !== undefined) {
      const text = typeof done === "function" ? done(data) : done;
      toast(text, undo && { label: "Undo", run: () => attempt(undo) });
    }
    refresh(/^GET \/api\/v1\/(servers|status|tools)/);
    return data;
  } catch (error) {
    for (const rollback of rollbacks.reverse()) rollback();
    toast(reasonOf(error), { tone: "bad" });
    return undefined;
  }
}

/** Runs something and tells when it fails. @returns whether it went well */
async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
    return false;
  }
}

// What was missed while the stream was away is asked for by the `status` event that opens the next one.
export { connection };
