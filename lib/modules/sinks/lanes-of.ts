import type { App } from "../../core/app.ts";
import { replicaSharing } from "../../core/extension/replica-sharing.ts";
import { auditLog } from "../audit/state.ts";
import { activitySource } from "./activity-source.ts";
import { auditSource } from "./audit-source.ts";
import type { SinkConfig } from "./config.ts";
import { openProgress, type SinkProgress } from "./progress.ts";
import type { RecordSource } from "./record-source.ts";

/** Records of some kinds that are delivered together, with their progress. */
export interface Lane {
  readonly sources: readonly RecordSource[];
  /** True if one replica delivers them for all. */
  readonly isSole: boolean;
  /** Reads the stored progress. */
  readonly openProgress: () => SinkProgress;
  progress: SinkProgress;
  /** Whether this replica delivers them. */
  isRunning: boolean;
  wake: () => void;
}

/**
 * In a cluster one replica delivers the activity of all, and each replica delivers its own audit log. Without an audit log
 * in a file, only the activity is delivered.
 */
export function lanesOf(app: App, { name, records, bodies }: SinkConfig): Lane[] {
  const sharing = app.part(replicaSharing);
  const activity = records.includes("activity") ? [activitySource(app, bodies)] : [];
  const { path } = app.part(auditLog);
  const audit = records.includes("audit") && path !== undefined ? [auditSource(app, path)] : [];
  const lane = (sources: RecordSource[], key: string, isSole: boolean): Lane[] => {
    if (sources.length === 0) return [];
    const open = () => openProgress(app, key);
    return [{ sources, isSole, openProgress: open, progress: open(), isRunning: false, wake: () => {} }];
  };
  if (!sharing) return lane([...activity, ...audit], name, false);
  return [...lane(activity, name, true), ...lane(audit, `${name}/${sharing.replica}`, false)];
}

/** Returns why a sink gets none of the records that it should; undefined if it can get all. */
export function missingSource(app: App, { records }: SinkConfig): string | undefined {
  if (!records.includes("audit") || app.part(auditLog).path !== undefined) return undefined;
  return "the audit log is not written to a file; set audit_log.path and restart the proxy";
}
