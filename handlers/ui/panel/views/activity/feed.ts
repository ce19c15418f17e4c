import { useEffect, useRef, useState } from "preact/hooks";
import { type Args, call } from "../../api.ts";
import { onEvent } from "../../events.ts";
import type { Entry } from "./labels.ts";

export type Filters = NonNullable<Args<"GET /api/v1/activity">["query"]>;

/** The loaded records, newest first, and whether there are more. */
export interface Feed {
  rows: readonly Entry[];
  /** Total number of matches. */
  total: number;
  error: Error | undefined;
  loading: boolean;
  /** New records are not shown yet, because the user is reading further down or has paused the list. */
  waits: boolean;
  /** Loads older records. */
  more(): Promise<void>;
  /** Shows the new records, or retries after an error. */
  refresh(): void;
}

/** Page size; the maximum of the proxy. */
const PAGE = 100;
/** Number of pages that are loaded at once when the user goes back in time. */
const STEP = 5;
/** Minimum interval between requests for new records (ms). */
const MIN_INTERVAL_MS = 1000;
const GATHER_MS = 150;

interface State {
  rows: readonly Entry[];
  total: number;
  error: Error | undefined;
  loading: boolean;
  waits: boolean;
}
const NOTHING: State = { rows: [], total: 0, error: undefined, loading: true, waits: false };

/**
 * The filtered activity, updated live.
 *
 * @param still if true, new records are not shown yet
 */
export function useFeed(filters: Filters, still: () => boolean): Feed {
  const key = JSON.stringify(filters);
  const [state, setState] = useState<State>(NOTHING);
  const now = useRef({ state, still, more: async () => {}, refresh: () => {} });
  now.current.still = still;
  const set = (change: Partial<State>) => {
    now.current.state = { ...now.current.state, ...change };
    setState(now.current.state);
  };

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let askedAt = 0;
    let fetching = false;
    const page = (offset: number) =>
      call("GET /api/v1/activity", { query: { ...filters, limit: String(PAGE), offset: String(offset) } }, { signal });
    const failed = (error: Error) => signal.aborted || set({ error, loading: false });

    const newest = async () => {
      askedAt = Date.now();
      const { activities, total } = await page(0);
      if (signal.aborted) return;
      const { rows } = now.current.state;
      set({ rows: joined(activities, rows), total, error: undefined, loading: false, waits: false });
    };
    const later = () => {
      if (now.current.still()) return set({ waits: true });
      timer ??= setTimeout(
        () => {
          timer = undefined;
          if (now.current.still()) set({ waits: true });
          else void newest().catch(failed);
        },
        Math.max(GATHER_MS, askedAt + MIN_INTERVAL_MS - Date.now()),
      );
    };
    now.current.refresh = () => void newest().catch(failed);
    now.current.more = async () => {
      const { rows, total } = now.current.state;
      if (fetching || rows.length >= total) return;
      fetching = true;
      const offsets = Array.from({ length: STEP }, (_, i) => rows.length + i * PAGE).filter((o) => o < total);
      try {
        const pages = await Promise.all(offsets.map(page));
        const older = pages.flatMap((p) => p.activities);
        if (!signal.aborted)
          set({ rows: appended(now.current.state.rows, older), total: pages.at(-1)?.total ?? total, error: undefined });
      } catch (error) {
        failed(error as Error);
      } finally {
        fetching = false;
      }
    };
    set({ ...NOTHING, rows: [] });
    void newest().catch(failed);
    const stop = onEvent(({ kind }) => {
      const tells = /^(activity\.|sensitive_data|security\.)/.test(kind) && !kind.endsWith(".started");
      if (tells || kind === "gap" || kind === "status") later();
    });
    return () => {
      ended.abort();
      clearTimeout(timer);
      stop();
    };
  }, [key]);

  return { ...state, more: () => now.current.more(), refresh: () => now.current.refresh() };
}

/**
 * Merges the newest page with the loaded records; if they do not overlap, records between are missing and the old ones
 * are dropped.
 */
function joined(newest: readonly Entry[], rows: readonly Entry[]): readonly Entry[] {
  const ids = new Set(newest.map((r) => r.id));
  const from = rows.findIndex((r) => ids.has(r.id));
  if (from < 0) return newest;
  return [...newest, ...rows.slice(from).filter((r) => !ids.has(r.id))];
}

function appended(rows: readonly Entry[], older: readonly Entry[]): readonly Entry[] {
  const known = new Set(rows.map((r) => r.id));
  return [...rows, ...older.filter((r) => !known.has(r.id))];
}
