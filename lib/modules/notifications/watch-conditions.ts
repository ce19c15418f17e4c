import type { App } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { type Condition, currentConditions } from "./conditions.ts";
import { eventNotice } from "./event-notice.ts";
import { followEvents } from "./follow-events.ts";
import type { Notice } from "./notice.ts";
import { panelPage } from "./panel-page.ts";

/** How often conditions are examined although no event says that something changed (ms). */
const INTERVAL_MS = 30_000;
/** How long events gather before conditions are examined (ms). */
const GATHER_MS = 2000;
/** Within this time, an event about the same thing is only counted (ms). */
const REPEAT_MS = 3_600_000;
/** Maximum number of things whose repetitions are counted. */
const MAX_REPEATED = 1000;
/**
 * Within this time, the same condition is not notified again: a server that changes its tools all the time would
 * otherwise cause a message each time (ms).
 */
const CONDITION_REPEAT_MS = 600_000;
const STATE_KEY = "notifications/conditions";

interface Repeated {
  readonly until: number;
  count: number;
}

/**
 * Passes on each notice once: when a condition begins or grows, when a failure that people were notified of ends, and
 * when an event happens, at most once an hour for the same thing. Conditions are stored, so that a restart notifies
 * nobody again.
 *
 * @returns a function that ends it
 */
export function watchConditions(app: App, notify: (notice: Notice) => void): () => Promise<void> {
  const { clock, store } = app;
  const log = app.log.tagged("notifications");
  const failingSince = new Map<string, number>();
  const repeated = new Map<string, Repeated>();
  /** When conditions were last notified, by their keys. */
  const notifiedAt = new Map<string, number>();
  let active: Map<string, number> | undefined;
  let cancel: (() => void) | undefined;
  let examining: Promise<void> | undefined;
  let isEnded = false;

  const examine = async () => {
    active ??= await storedLevels(app);
    const conditions = await currentConditions(app, failingSince);
    if (isEnded) return;
    const now = clock.now();
    for (const [key, at] of notifiedAt) if (now < at || now - at >= CONDITION_REPEAT_MS) notifiedAt.delete(key);
    const current = new Set(conditions.map(({ key }) => key));
    const levels = new Map<string, number>();
    for (const { level, ...condition } of conditions) {
      const { key } = condition;
      const notified = active.get(key) ?? 0;
      const isNew = level > notified;
      // What is not notified now keeps its former level, so that it is notified later if it still lasts.
      if (isNew && notifiedAt.has(key)) {
        if (notified > 0) levels.set(key, notified);
        continue;
      }
      levels.set(key, level);
      if (!isNew) continue;
      notifiedAt.set(key, now);
      notify({ ...condition, at: now, count: 1 });
    }
    for (const [key, level] of active) {
      const name = current.has(key) ? undefined : /^(?:server:failing|expiry:sign-in):(.*)$/s.exec(key)?.[1];
      if (name === undefined || !app.config.server(name)?.enabled) continue;
      // While the server connects, as after a restart, nobody knows yet whether it works again.
      if (app.upstreams.get(name)?.status().state !== "Ready") levels.set(key, level);
      else if (key.startsWith("server:")) notify(recovery(name, now));
    }
    const isChanged = levels.size !== active.size || [...levels].some(([key, level]) => active?.get(key) !== level);
    active = levels;
    if (isChanged) await store.documents.set(STATE_KEY, Object.fromEntries(levels));
  };
  const run = () => {
    cancel = undefined;
    if (examining) return soon();
    examining = examine()
      .catch((error: unknown) => log.warn("conditions cannot be examined", { error }))
      .finally(() => {
        examining = undefined;
      });
  };
  const soon = () => {
    if (!isEnded) cancel ??= clock.after(GATHER_MS, run);
  };

  const ends = [
    clock.every(INTERVAL_MS, soon),
    app.config.onChange(soon),
    followEvents(app, (event) => {
      // Only these change a condition; calls, which are many, do not.
      if (event.kind === "servers.changed" || event.kind === "tools.changed" || event.kind === "items.changed") soon();
      const notice = eventNotice(event);
      if (!notice) return;
      const now = clock.now();
      const known = repeated.get(notice.key);
      if (known && now < known.until) {
        known.count++;
        return;
      }
      repeated.delete(notice.key);
      if (repeated.size >= MAX_REPEATED) repeated.delete(repeated.keys().next().value ?? "");
      repeated.set(notice.key, { until: now + REPEAT_MS, count: 0 });
      notify({ ...notice, at: now, count: 1 + (known?.count ?? 0) });
    }),
  ];
  soon();
  return async () => {
    isEnded = true;
    cancel?.();
    for (const end of ends) await end();
    await examining;
  };
}

const recovery = (name: string, at: number): Notice => ({
  key: `server:recovered:${name}`,
  kind: "server",
  severity: "info",
  title: `Server ${name} works again`,
  text: "",
  path: panelPage.server(name),
  at,
  count: 1,
});

async function storedLevels({ store }: App): Promise<Map<string, Condition["level"]>> {
  const stored = await store.documents.get(STATE_KEY);
  const entries = isJsonObject(stored) ? Object.entries(stored) : [];
  return new Map(entries.map(([key, level]) => [key, Number(level)]));
}
