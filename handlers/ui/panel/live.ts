import { useEffect, useState } from "preact/hooks";
import { type Args, address, call, type Data, type GetRoute, type Route, reasonOf } from "./api.ts";
import { connection, MOVES, onEvent } from "./events.ts";
import { toast } from "./parts/toast.tsx";

/** The state of one GET route with its arguments. */
export interface Answer<T> {
  /** The latest response; it is kept while a new request runs and if that fails. */
  data: T | undefined;
  /** Error of the latest request. */
  error: Error | undefined;
  /** True until the first response or failure. */
  loading: boolean;
  /** Sends the request again. */
  refresh(): void;
}

interface Entry {
  route: GetRoute;
  args: Args<GetRoute>;
  data: unknown;
  error: Error | undefined;
  /** Increases with each response and change, so that a late undo does not overwrite a newer state. */
  version: number;
  askedAt: number;
  /** Set if an event arrived while no component used the response. */
  old: boolean;
  asking: AbortController | undefined;
  /** Resolves after the current request. */
  settled: Promise<void>;
  timer: ReturnType<typeof setTimeout> | undefined;
  listeners: Set<() => void>;
}

/** Minimum interval between two requests, because events can be frequent (ms). */
const MIN_INTERVAL_MS = 1000;
/** Events within this time cause one request (ms). */
const GATHER_MS = 60;
/** Number of cached responses that no component uses, for going back. */
const MAX_CACHED = 60;

const entries = new Map<string, Entry>();

onEvent(({ kind }) => {
  const moved = kind === "gap" || kind === "status" ? /\// : MOVES[kind];
  for (const entry of entries.values()) if (moved?.test(entry.route)) soon(entry);
});

/**
 * The response of a GET route, kept current by the event stream. Components with the same request share one response.
 *
 * @param args undefined sends no request
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
  for (const [key, entry] of unused.slice(0, Math.max(0, unused.length - MAX_CACHED))) {
    clearTimeout(entry.timer);
    entry.asking?.abort();
    entries.delete(key);
  }
}

/** Clears the cache, when another user signs in. */
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
 * If counting takes long, the proxy returns a recent result with its age. It lacks later events, and no further event
 * may follow, so a new result is requested; the older the result, the longer the delay.
 */
function askAgainIfOld(entry: Entry): void {
  const ageMs = (entry.data as { freshness_ms?: number } | undefined)?.freshness_ms ?? 0;
  if (ageMs === 0 || entry.listeners.size === 0) return;
  entry.timer ??= setTimeout(() => ask(entry), Math.max(MIN_INTERVAL_MS, ageMs));
}

/** Sends the request again and waits for the response, which contains the latest change. */
export async function fresh<R extends GetRoute>(route: R, args: Args<R>): Promise<void> {
  const entry = entryOf(route, args, address(route, args));
  ask(entry);
  await entry.settled;
}

/** Repeats the requests of all matching routes that a component uses. */
export function refresh(routes: RegExp): void {
  for (const entry of entries.values()) if (routes.test(entry.route)) soon(entry);
}

/** A change of a cached response before the proxy confirms it. */
export interface Patch {
  apply(): () => void;
}

/** Changes a cached response: `change` returns new data and does not modify the old. */
export function patch<R extends GetRoute>(route: R, args: Args<R>, change: (data: Data<R>) => Data<R>): Patch {
  return {
    apply() {
      const entry = entries.get(address(route, args));
      if (entry?.data === undefined) return () => {};
      const before = entry.data;
      // A response in transit predates the change.
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
  /** Changes that are shown at once and reverted if the proxy rejects the request. */
  patches?: readonly Patch[];
  /** Text after success; none by default. */
  done?: string | ((data: Data<R>) => string);
  /** The undo action that is offered with `done`. */
  undo?: () => Promise<unknown>;
}

/**
 * Sends a request; its effect is shown at once, reverted if it fails, and reported in a toast.
 *
 * @returns the proxy's response; undefined if it was rejected
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

/** Runs an action and shows a failure. @returns whether it succeeded */
async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    toast(reasonOf(error), { tone: "bad" });
    return false;
  }
}

// The `status` event at the start of the next stream triggers the requests for changes that were missed.
export { connection };
