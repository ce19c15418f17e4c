import type { App } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import type { RecordKind } from "./sink-record.ts";

/** How far a sink has come; stored in the database, so that it continues there after a restart. */
export interface SinkProgress {
  /** The mark after the last acknowledged record of each kind. */
  readonly marks: Partial<Record<RecordKind, unknown>>;
  /** Records that were removed by the retention before they were delivered, or did not fit anywhere. */
  readonly lost: Counter;
  /** Records that the receiver rejected, which are in a file. */
  readonly rejected: Counter;
  /** Adds to a counter. */
  count(counter: "lost" | "rejected", records: number): void;
  /** Stores the progress if something changed since. Never rejects: what is not stored is delivered again. */
  save(): Promise<void>;
  /** Like `save`, but at most once a second. */
  saveSoon(): void;
  /** Stores nothing any more, because another replica has gone on. */
  drop(): void;
}

interface Counter {
  readonly count: number;
  /** Time of the last addition (ms). */
  readonly lastAt?: number;
}

const SAVE_INTERVAL_MS = 1000;

export function openProgress({ store, clock, log }: Pick<App, "store" | "clock" | "log">, sink: string): SinkProgress {
  const key = `sinks/${sink}`;
  const stored = store.meta.get(key);
  const { marks, lost, rejected } = isJsonObject(stored) ? stored : {};
  const state = {
    marks: (isJsonObject(marks) ? { ...marks } : {}) as SinkProgress["marks"],
    lost: (isJsonObject(lost) ? lost : { count: 0 }) as unknown as Counter,
    rejected: (isJsonObject(rejected) ? rejected : { count: 0 }) as unknown as Counter,
  };
  let saved = JSON.stringify(stored);
  let cancel: (() => void) | undefined;
  let isDropped = false;
  const save = async () => {
    cancel?.();
    cancel = undefined;
    const text = JSON.stringify(state);
    if (text === saved || isDropped) return;
    try {
      await store.meta.set(key, JSON.parse(text));
      saved = text;
    } catch (error) {
      log.debug(`the progress of the sink ${sink} was not stored`, { error });
    }
  };
  return {
    get marks() {
      return state.marks;
    },
    get lost() {
      return state.lost;
    },
    get rejected() {
      return state.rejected;
    },
    count(counter, records) {
      state[counter] = { count: state[counter].count + records, lastAt: clock.now() };
    },
    save,
    drop() {
      isDropped = true;
      cancel?.();
    },
    saveSoon() {
      cancel ??= clock.after(SAVE_INTERVAL_MS, () => void save());
    },
  };
}
