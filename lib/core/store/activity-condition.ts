import type { SqlInput } from "../../sqlite/types.ts";
import type { ActivityFilter } from "../schema/activity.ts";

/** A filter as an SQL condition on the table `activity`, and the values of its placeholders. */
export interface SqlCondition {
  readonly sql: string;
  readonly inputs: SqlInput[];
  /** True if the index of times alone is sufficient to evaluate the condition. */
  readonly timeOnly: boolean;
}

/**
 * Translates a filter to SQL. A missing or empty list of types matches every type; an empty set of servers matches
 * none.
 */
export function activityCondition(filter: ActivityFilter): SqlCondition {
  const terms: string[] = [];
  const inputs: SqlInput[] = [];
  const add = (term: string, input: SqlInput | undefined) => {
    if (input === undefined) return;
    terms.push(term);
    inputs.push(input);
  };
  add("at > ?", filter.after);
  add("at < ?", filter.before);
  const times = terms.length;
  // A list is passed as one JSON text, so that every length of it uses the same prepared statement.
  if (filter.type?.length) add("type in (select value from json_each(?))", JSON.stringify(filter.type));
  add("status = ?", filter.status);
  add("server_name = ?", filter.server);
  add("tool_name = ?", filter.tool);
  add("session_id = ?", filter.session_id);
  add("session_id in (select id from sessions where client_name = ?)", filter.client);
  add("request_id = ?", filter.request_id);
  add("parent_id = ?", filter.parent_id);
  add("actor = ?", filter.actor);
  add("auth_type = ?", filter.auth_type);
  add("intent_type = ?", filter.intent_type);
  if (filter.sensitive !== undefined) terms.push(`max_severity is ${filter.sensitive ? "not null" : "null"}`);
  add("max_severity = ?", filter.max_severity);
  add("? in (select value from json_each(coalesce(detection_types, '[]')))", filter.detection_type);
  add("user_id = ?", filter.user_id);
  if (filter.servers) {
    const named = "server_name in (select value from json_each(?))";
    const unnamed = filter.own === undefined ? "server_name is null" : "(server_name is null and actor = ?)";
    add(`(${named} or ${unnamed})`, JSON.stringify([...filter.servers]));
    if (filter.own !== undefined) inputs.push(filter.own);
  }
  return { sql: terms.length === 0 ? "true" : terms.join(" and "), inputs, timeOnly: terms.length === times };
}
