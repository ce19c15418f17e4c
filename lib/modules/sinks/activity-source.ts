import type { App } from "../../core/app.ts";
import { replicaSharing } from "../../core/extension/replica-sharing.ts";
import type { ActivityMark, ActivityRecord } from "../../core/schema/activity.ts";
import { INTERNAL_CALLER } from "../../core/schema/caller.ts";
import { activityEntryFor, fullActivity } from "../../core/verbs/activity/list.ts";
import type { RecordSource } from "./record-source.ts";
import type { SinkRecord } from "./sink-record.ts";

/** How often records of other replicas are looked for (ms). */
const ASK_MS = 1000;

/** Reads activity records from the store. The calls that they are about do not wait for it. */
export function activitySource(app: App, bodies: boolean): RecordSource {
  const { activity, writes } = app.store;
  const toSinkRecord = (record: ActivityRecord): SinkRecord => {
    const entry = (bodies ? fullActivity : activityEntryFor)(app, record, INTERNAL_CALLER);
    const { id, at, type, status } = record;
    return { kind: "activity", id, at, type, status, line: JSON.stringify(entry) };
  };
  return {
    kind: "activity",
    newest: () => activity.newestMark(),
    async read(after, limit, signal) {
      const records = await activity.follow(after as ActivityMark, limit, signal);
      return records.map(({ record, ...place }) => ({ ...place, record: toSinkRecord(record) }));
    },
    waiting: (after) => activity.countAfter(after as ActivityMark),
    onRecords(wake) {
      const stop = writes.onCommit(wake);
      // Other replicas add records, too.
      const stopAsking = app.part(replicaSharing) ? app.clock.every(ASK_MS, wake) : () => {};
      return () => {
        stop();
        stopAsking();
      };
    },
  };
}
