import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { isJsonObject } from "../../base/json-object.ts";
import { isServerHidden } from "../../policy/hidden.ts";
import { inScope } from "../../policy/scope.ts";
import type { ActivityFilter, ActivityPlace, ActivityRecord } from "../../schema/activity.ts";
import type { Caller } from "../../schema/caller.ts";
import { scrubText } from "../../secrets/mask/text.ts";
import { serverReview } from "../servers/review.ts";

/**
 * A record in a list, without its arguments and response. The members that the specification lists for every type are
 * always present: empty or zero if a record has no server, no tool or no duration (spec 000 §2.8).
 */
type ListedActivity = Omit<ActivityRecord, "at" | "arguments" | "response" | "detection_types"> & {
  server_name: string;
  tool_name: string;
  duration_ms: number;
  timestamp: string;
  has_sensitive_data?: true;
  detection_types?: string[];
};

/** A record with all its members. */
type ListedActivityDetail = ListedActivity & { arguments?: unknown; response?: string };

/** The requested page, and the signal that aborts the request. */
export interface ActivityPageOptions {
  limit: number;
  offset?: number;
  /** The last record of the previous page. */
  after?: ActivityPlace;
  signal?: AbortSignal;
}

export interface ActivityList {
  activities: ListedActivity[];
  total: number;
  /** Set if there are more matches than `total`, because counting stopped there. */
  isCapped?: true;
  /** The cursor of the next page; absent on the last page. */
  last?: ActivityPlace;
}

/** Lists one page of activity records, newest first. A limited caller gets only records of its servers. */
export async function listActivity(
  app: App,
  filter: ActivityFilter,
  { signal, ...wanted }: ActivityPageOptions,
  caller: Caller,
): Promise<ActivityList> {
  const { limit } = wanted;
  // One extra record shows whether there is another page.
  const part = { ...wanted, limit: limit + 1 };
  const { records, total, isCapped } = await app.store.activity.select(
    narrowActivityFilter(filter, caller),
    part,
    signal,
  );
  const last = records.length > limit ? records[limit - 1] : undefined;
  return {
    activities: records.slice(0, limit).map((record) => activityEntryFor(app, record, caller)),
    total,
    ...(isCapped && { isCapped }),
    ...(last && { last: { at: last.at, id: last.id } }),
  };
}

/**
 * Returns one record with arguments and response. Only administrators see those of other callers' records.
 *
 * @throws Fault no_such_record, also for a record out of the caller's scope
 */
export async function activityDetail(app: App, id: string, caller: Caller): Promise<ListedActivityDetail> {
  const found = await app.store.activity.get(id);
  if (!found || !concerns(found, caller)) throw new Fault("no_such_record", { what: "activity", id });
  return fullActivity(app, found, caller);
}

/** Returns a record with arguments and response, as far as the caller may read them. */
export function fullActivity(app: App, record: ActivityRecord, caller: Caller): ListedActivityDetail {
  const { arguments: args, response } = record;
  const mine = isOwn(record, caller);
  return {
    ...activityEntryFor(app, record, caller),
    ...(mine && args !== undefined && { arguments: args }),
    // The stored response contains text of the server, which may contain credentials.
    ...(mine && response !== undefined && { response: scrubText(response) }),
  };
}

/**
 * Limits a filter to what a caller may see: records of its servers and, of records without a server, only its own. A
 * user of the multi-user edition, and a user's agent, see no activity of others.
 */
export function narrowActivityFilter(filter: ActivityFilter, { tier, scope, name, user }: Caller): ActivityFilter {
  const own = tier !== "admin" && user ? { ...filter, user_id: user.id } : filter;
  if (scope.servers === "all") return own;
  return { ...own, servers: scope.servers, ...(user === undefined && { own: name }) };
}

/** Returns a key for a filter; filters that select the same records have the same key. */
export function activityFilterKey({ servers, ...filter }: ActivityFilter): string {
  return JSON.stringify([Object.entries(filter).sort(), servers && [...servers].sort()]);
}

function concerns({ server_name, actor, user_id }: ActivityRecord, { tier, scope, name, user }: Caller): boolean {
  if (tier !== "admin" && user && user_id !== user.id) return false;
  if (scope.servers === "all") return true;
  if (server_name !== undefined) return inScope(scope, server_name);
  return user !== undefined || actor === name;
}

/**
 * Returns a record as this caller may read it. What another agent wrote or worked on is removed, because it may be
 * confidential, and because one model could send messages to another with it: the reason that it stated for a call, the
 * URI of a resource that its server does not list, and errors, which repeat arguments and answers.
 */
export function activityEntryFor(app: App, record: ActivityRecord, caller: Caller): ListedActivity {
  const told = entry(record);
  if (isOwn(record, caller)) return told;
  const { type, metadata } = told;
  const { server_name: server, tool_name: name } = record;
  if (type !== "server_change") delete told.error_message;
  else if (
    told.error_message !== undefined &&
    server !== undefined &&
    isServerHidden(serverReview(app, server), caller)
  )
    told.error_message = String(metadata?.error_class ?? "connection_failed");
  if (type === "resource_read" && !app.catalog.items.get("resource", server ?? "", name ?? "")) told.tool_name = "";
  if (isJsonObject(metadata?.intent) && metadata.intent.reason !== undefined) {
    const { reason: _, ...intent } = metadata.intent;
    told.metadata = { ...metadata, intent };
  }
  return told;
}

function isOwn({ user_id, actor }: ActivityRecord, { tier, user, name }: Caller): boolean {
  return tier === "admin" || (user ? user_id === user.id : actor === name);
}

function entry(record: ActivityRecord): ListedActivity {
  const { at, arguments: _, response: __, detection_types: types, ...rest } = record;
  const found = types && { has_sensitive_data: true as const, detection_types: [...types] };
  const { server_name = "", tool_name = "", duration_ms = 0 } = rest;
  return { ...rest, server_name, tool_name, duration_ms, ...found, timestamp: rfc3339(at) };
}
