import type { App } from "../app.ts";
import { rfc3339 } from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { inScope } from "../gate/scope.ts";
import { scrubText } from "../redact/text.ts";
import type { ActivityFilter, ActivityRecord } from "../shape/activity.ts";
import type { Caller } from "../shape/caller.ts";

/** A record as it is listed: everything but what was sent and answered (spec 000 §2.8). */
export type ActivityEntry = Omit<ActivityRecord, "at" | "arguments" | "response"> & { timestamp: string };

/** A record in full. */
export type ActivityDetail = ActivityEntry & { arguments?: unknown; response?: string };

/** One page of what happened, newest first; for a limited caller only what concerns its servers. */
export function list(
  app: App,
  filter: ActivityFilter,
  { limit, offset }: { limit: number; offset: number },
  caller: Caller,
): { activities: ActivityEntry[]; total: number } {
  const { records, total } = app.store.activity.page(narrowed(filter, caller), limit, offset);
  return { activities: records.map(entry), total };
}

/**
 * One record with arguments and response. Others' payloads are for administrators.
 *
 * @throws Fault no_such_record, also for a record out of the caller's scope
 */
export function detail(app: App, id: string, caller: Caller): ActivityDetail {
  const found = app.store.activity.get(id);
  if (!found || !concerns(found, caller)) throw new Fault("no_such_record", { what: "activity", id });
  return full(found, caller);
}

/** A record with arguments and response, as far as the caller may read them. */
export function full(record: ActivityRecord, caller: Caller): ActivityDetail {
  const { arguments: args, response } = record;
  const mine = caller.tier === "admin" || record.actor === caller.name;
  return {
    ...entry(record),
    ...(mine && args !== undefined && { arguments: args }),
    // Kept as it came; see call/outcome.ts.
    ...(mine && response !== undefined && { response: scrubText(response) }),
  };
}

/** What a limited caller may see: records of its servers, and of those that name none only its own. */
export function narrowed(filter: ActivityFilter, { scope, name }: Caller): ActivityFilter {
  return scope.servers === "all" ? filter : { ...filter, servers: scope.servers, own: name };
}

function concerns({ server_name, actor }: ActivityRecord, { scope, name }: Caller): boolean {
  return scope.servers === "all" || (server_name === undefined ? actor === name : inScope(scope, server_name));
}

export function entry({ at, arguments: _, response: __, ...rest }: ActivityRecord): ActivityEntry {
  return { ...rest, timestamp: rfc3339(at) };
}
