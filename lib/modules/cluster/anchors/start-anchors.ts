import type { App } from "../../../core/app.ts";
import { replicaSharing } from "../../../core/extension/replica-sharing.ts";
import { soleWork } from "../../../core/extension/sole-work.ts";
import { auditLog } from "../../audit/state.ts";
import type { Database } from "../database.ts";
import { type AuditHead, makeAnchor } from "./anchor.ts";
import { addAnchor, newestAnchor, readHeads, reportHead } from "./anchor-table.ts";

/** How often a replica reports the end of its audit log, and how often all ends are anchored (ms). */
const REPORT_MS = 10_000;
const ANCHOR_MS = 60_000;
const DAY_MS = 86_400_000;
/** How long anchors are kept if the audit log has no limit in days. */
const LONGEST_DAYS = 3650;

export interface AnchorIntervals {
  readonly reportMs: number;
  readonly anchorMs: number;
}

/**
 * Reports the end of this replica's audit log to the others, and lets one replica sign the ends of all.
 *
 * @returns a function that stops it
 */
export function startAnchors(
  app: App,
  database: Database,
  { reportMs, anchorMs }: AnchorIntervals = { reportMs: REPORT_MS, anchorMs: ANCHOR_MS },
): () => Promise<void> {
  const { clock, log } = app;
  const trail = app.part(auditLog);
  const replica = app.part(replicaSharing)!.replica;
  if (trail.sink === "none") return async () => {};
  const end = new AbortController();
  let reported = 0;
  /** The number of the line about the last anchor. */
  let anchorLine = 0;

  const report = async () => {
    const head = trail.head();
    if (!head || head.seq === reported) return;
    await database.run((sql) => reportHead(sql, { replica, ...head }));
    reported = head.seq;
  };
  const anchor = async () => {
    const keepMs = (app.config.current().audit_log?.max_age_days || LONGEST_DAYS) * DAY_MS;
    const key = await app.secrets.sealingKeys.forSealing();
    const added = await database.transact(async (sql) => {
      const before = await newestAnchor(sql);
      const heads = await readHeads(sql, keepMs);
      const known = new Map(before?.heads.map((head) => [head.replica, head.seq]));
      // The line about the last anchor needs no anchor of its own.
      const isNew = (head: AuditHead) =>
        known.get(head.replica) !== head.seq && !(head.replica === replica && head.seq === anchorLine);
      if (!heads.some(isNew)) return undefined;
      const next = makeAnchor(before, { at: clock.now(), heads, key });
      return (await addAnchor(sql, next, clock.now() - keepMs)) ? next : undefined;
    });
    // The log of this replica then names the anchor, so that the newest anchors cannot be removed unnoticed.
    if (!added) return;
    anchorLine = (trail.head()?.seq ?? 0) + trail.status().waiting + 1;
    trail.write({ event: "audit_anchor", anchor: added.number, anchor_hash: added.hash });
  };
  const anchorAgain = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await clock.sleep(anchorMs, signal).catch(() => undefined);
      if (!signal.aborted)
        await anchor().catch((error: unknown) => log.warn("the audit logs were not anchored", { error }));
    }
  };
  const stop = clock.every(reportMs, () => log.catch("reporting the end of the audit log", report()));
  const working = app.part(soleWork).run("audit anchor", anchorAgain, end.signal);
  return async () => {
    stop();
    end.abort();
    await working;
    await report().catch(() => undefined);
  };
}
