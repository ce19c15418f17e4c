import type { App } from "../app.ts";
import { recordId } from "../base/id.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import type { ActivityRecord } from "../schema/activity.ts";
import { type Actor, actorName } from "../schema/caller.ts";
import { scrubText } from "../secrets/mask/text.ts";
import { publishActivity } from "./publish-activity.ts";

export type NewActivityRecord = Omit<
  ActivityRecord,
  "id" | "at" | "source" | "session_id" | "request_id" | "parent_id" | "actor" | "auth_type"
>;

/**
 * Queues one activity record and returns its id immediately. The entry becomes the record, so the caller must not use it
 * for another one. `durable` resolves when the record is on the disk. A
 * caller that needs certainty awaits it (preflight does); otherwise a failure is only logged.
 */
export function recordActivity(app: App, by: Actor, entry: NewActivityRecord): { id: string; durable: Promise<void> } {
  const at = app.clock.now();
  const { origin, caller } = by;
  // The members are added to the entry itself, because copying it takes longer than making it.
  const row = entry as ActivityRecord;
  row.id = recordId(at);
  row.at = at;
  row.source = origin.source;
  row.request_id = origin.requestId;
  row.actor = actorName(caller);
  row.auth_type = caller.tier;
  if (caller.user !== undefined) row.user_id = caller.user.id;
  // A text from outside, such as the error of a script or a requested name, may contain a secret.
  if (row.error_message !== undefined) row.error_message = scrubText(row.error_message);
  // The name of a called tool is that of a listed one, but a URI is the caller's, and so is the name of a rejected call.
  if (row.tool_name !== undefined && row.type !== "tool_call") row.tool_name = scrubText(row.tool_name);
  if (origin.sessionId !== undefined) row.session_id = origin.sessionId;
  if (origin.parentId !== undefined) row.parent_id = origin.parentId;
  const durable = app.store.activity.add(row);
  app.log.catch(`recording ${entry.type}`, durable);
  publishActivity(app, row);
  app.part(auditTrail).recordActivity(by, row);
  return { id: row.id, durable };
}
