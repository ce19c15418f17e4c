import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, openConnection } from "./connection.ts";
import type { Database } from "./database.ts";
import { REVISION_CHANNEL } from "./revision.ts";
import type { View } from "./view.ts";

/** Keeps views up to date. Notifications make it fast; comparing revisions at intervals makes it certain. */
interface RevisionFollower {
  /** Reads a view and keeps it up to date from then on. */
  follow(view: FollowedView): Promise<void>;
  /** The age of the newest comparison that succeeded: how old a view can be at most. (ms) */
  staleMs(): number;
  /** Compares at once. Resolves when the views have what was committed before the call, or after `CATCH_UP_MS`. */
  catchUp(): Promise<void>;
  readonly counts: Readonly<FollowCounts>;
  close(): void;
}

type FollowedView = Pick<View<unknown>, "topic" | "revision" | "update">;

interface FollowCounts {
  /** Newer revisions that a notification named. */
  notified: number;
  /** Newer revisions that only the comparison found. */
  compared: number;
  /** Revisions that went back, as after a restored backup. */
  reversed: number;
  /** Connections that listened. */
  listened: number;
}

interface FollowOptions {
  readonly name: string;
  readonly onError: (what: string, error: unknown) => void;
  readonly pollMs?: number;
}

const POLL_MS = 400;
const COMPARE_TIMEOUT_MS = 1500;
const MAX_PAUSE_MS = 2000;
/** Shortest time between two comparisons, and how long one that was asked for is repeated if it fails. (ms) */
const MIN_POLL_MS = 50;
const CATCH_UP_MS = 1000;
/** After this time without a comparison a replica reads every view anew. (ms) */
const SILENCE_MS = 10_000;

export function followRevisions(
  database: Database,
  { name, onError, pollMs = POLL_MS }: FollowOptions,
): RevisionFollower {
  const views = new Map<string, FollowedView>();
  const counts: FollowCounts = { notified: 0, compared: 0, reversed: 0, listened: 0 };
  /** Topics whose view is being updated; true: it must be compared again afterwards. */
  const updating = new Map<string, boolean>();
  const end = new AbortController();
  let comparedAt = performance.now();
  let listener: Connection | undefined;
  let waiters: { readonly until: number; readonly done: () => void }[] = [];
  let asked = new AbortController();

  const bring = async (view: FollowedView, whole: boolean) => {
    if (updating.has(view.topic)) {
      updating.set(view.topic, true);
      return;
    }
    try {
      do {
        updating.set(view.topic, false);
        await view.update({ whole });
      } while (updating.get(view.topic) && !end.signal.aborted);
    } catch (error) {
      // The next comparison tries again.
      if (!end.signal.aborted) onError(`"${view.topic}" could not be read from the database`, error);
    } finally {
      updating.delete(view.topic);
    }
  };
  /** @returns whether every view has what was committed before */
  const compare = async (): Promise<boolean> => {
    const began = performance.now();
    // After a long silence the database may have been restored and have reached the same revisions with other rows.
    const whole = began - comparedAt > SILENCE_MS;
    const rows = await database.run((sql) => sql<{ topic: string; rev: number }>("select topic, rev from revision"), {
      timeoutMs: COMPARE_TIMEOUT_MS,
      signal: end.signal,
    });
    const revisions = new Map(rows.map(({ topic, rev }) => [topic, rev]));
    const revisionOf = ({ topic }: FollowedView) => revisions.get(topic) ?? 0;
    const due = [...views.values()].filter(
      (view) => !updating.has(view.topic) && (whole || revisionOf(view) !== view.revision()),
    );
    await Promise.all(
      due.map((view) => {
        const back = revisionOf(view) < view.revision();
        counts[back ? "reversed" : "compared"]++;
        return bring(view, whole || back);
      }),
    );
    const isCurrent = [...views.values()].every((view) => view.revision() >= revisionOf(view));
    if (isCurrent) comparedAt = began;
    return isCurrent;
  };
  const onNotification = (payload: string) => {
    const at = payload.lastIndexOf(":");
    const view = views.get(payload.slice(0, at));
    if (!view || Number(payload.slice(at + 1)) <= view.revision()) return;
    counts.notified++;
    void bring(view, false);
  };

  const wait = (waiter: (typeof waiters)[number]) => {
    waiters.push(waiter);
    asked.abort();
  };
  const poll = async () => {
    let failures = 0;
    while (!end.signal.aborted) {
      // Spread, so that replicas that started together do not ask in step.
      await pause(MIN_POLL_MS, end.signal);
      await pause(Math.max(0, pollMs * (0.75 + Math.random() / 2) - MIN_POLL_MS), asked.signal);
      asked = new AbortController();
      const waiting = waiters;
      waiters = [];
      let isCurrent = false;
      try {
        isCurrent = await compare();
        failures = 0;
      } catch (error) {
        if (!end.signal.aborted && failures++ === 0) onError("revisions could not be compared", error);
      }
      for (const waiter of waiting)
        if (isCurrent || performance.now() >= waiter.until) waiter.done();
        else wait(waiter);
    }
    for (const { done } of waiters) done();
  };
  const listen = async () => {
    let failures = 0;
    while (!end.signal.aborted) {
      try {
        listener = await openConnection(database.target, { name: `${name} listener`, onNotification });
        if (end.signal.aborted) break;
        // A frozen server must not hold this loop for ever.
        const silent = setTimeout(listener.close, COMPARE_TIMEOUT_MS);
        await listener.sql(`listen ${REVISION_CHANNEL}`).finally(() => clearTimeout(silent));
        counts.listened++;
        failures = 0;
        await aborted(listener.lost);
      } catch (error) {
        if (failures++ === 0) onError("notifications of the database cannot be received; comparing goes on", error);
      } finally {
        listener?.close();
      }
      await pause(Math.min(MAX_PAUSE_MS, 50 * 2 ** failures) * (0.5 + Math.random()), end.signal);
    }
    listener?.close();
  };
  void poll();
  void listen();

  return {
    counts,
    staleMs: () => performance.now() - comparedAt,
    catchUp: () =>
      new Promise((done) => {
        if (end.signal.aborted) done();
        else wait({ until: performance.now() + CATCH_UP_MS, done });
      }),
    async follow(view) {
      await view.update({ whole: true });
      views.set(view.topic, view);
    },
    close() {
      end.abort();
      asked.abort();
      listener?.close();
    },
  };
}

/** Resolves after the time, or at once when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener("abort", () => done(), { once: true }));
}
