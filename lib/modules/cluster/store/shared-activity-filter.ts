import type { ActivityFilter } from "../../../core/schema/activity.ts";
import type { SqlValue } from "../connection.ts";
import { databaseText } from "../database-text.ts";

/** A filter as an SQL condition on the table `activity`, and the values of its placeholders from $1. */
interface SharedActivityFilter {
  readonly sql: string;
  readonly values: SqlValue[];
}

/** The condition of a filter that matches every record. */
export const EVERYTHING = "true";

/**
 * Translates a filter to SQL. A missing or empty list of types matches every type; an empty set of servers matches
 * none.
 */
export function sharedActivityFilter(filter: ActivityFilter): SharedActivityFilter {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const value = (text: string | number | readonly string[]) =>
    `$${values.push(typeof text === "string" ? databaseText(text) : typeof text === "number" ? text : text.map(databaseText))}`;
  const equal = (column: string, text: string | undefined) => {
    if (text !== undefined) terms.push(`${column} = ${value(text)}`);
  };
  if (filter.after !== undefined) terms.push(`at > ${value(wholeTime(Math.floor(filter.after)))}::bigint`);
  if (filter.before !== undefined) terms.push(`at < ${value(wholeTime(Math.ceil(filter.before)))}::bigint`);
  if (filter.type?.length) terms.push(`type = any(${value(filter.type)}::text[])`);
  equal("status", filter.status);
  equal("server_name", filter.server);
  equal("tool_name", filter.tool);
  equal("session_id", filter.session_id);
  if (filter.client !== undefined)
    terms.push(`session_id in (select id from session where client_name = ${value(filter.client)})`);
  equal("request_id", filter.request_id);
  equal("parent_id", filter.parent_id);
  equal("actor", filter.actor);
  equal("auth_type", filter.auth_type);
  equal("intent_type", filter.intent_type);
  if (filter.sensitive !== undefined) terms.push(`max_severity is ${filter.sensitive ? "not null" : "null"}`);
  equal("max_severity", filter.max_severity);
  // The column is text, so that it can hold what jsonb cannot; `jsonb` is made of the short names of detections only.
  if (filter.detection_type !== undefined)
    terms.push(`coalesce(detection_types, '[]')::jsonb ? ${value(filter.detection_type)}::text`);
  equal("user_id", filter.user_id);
  if (filter.servers) {
    const named = `server_name = any(${value([...filter.servers])}::text[])`;
    const unnamed = filter.own === undefined ? "" : ` and actor = ${value(filter.own)}`;
    terms.push(`(${named} or (server_name is null${unnamed}))`);
  }
  return { sql: terms.join(" and ") || EVERYTHING, values };
}

/** Keeps an infinite time within the range of the column. */
function wholeTime(ms: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, ms));
}
