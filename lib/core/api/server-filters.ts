import * as v from "valibot";
import { HealthRecord, ServerRecord } from "../schema/server-record.ts";
import { fieldsParameter } from "./fields.ts";
import { pagedListing } from "./listing.ts";
import { text, word } from "./query.ts";

const { level, admin_state } = HealthRecord.entries;
const STATES = ["disconnected", "connecting", "authenticating", "ready", "error"] as const;

/** The filter parameters of lists of servers. */
export const serverFilters = {
  status: word(STATES, "only servers in this connection state"),
  level: word(level.options, "only servers of this health level"),
  admin_state: word(admin_state.options, "only servers in this administrative state"),
  action: word(
    ["login", "restart", "enable", "approve", "view_logs", "set_secret", "configure"],
    "only servers with this suggested remedy",
  ),
  protocol: text(32, "only servers of this protocol, such as stdio or http"),
  q: text(200, "words that must all occur in name, command or url"),
};
const Filters = v.object(serverFilters);

/** Returns a function that says whether a record, as the caller sees it, matches the filters. */
export function matchesServerFilters(wanted: v.InferOutput<typeof Filters>): (server: ServerRecord) => boolean {
  const words = wanted.q?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return ({ name, status, protocol, health, command = "", args = [], url = "" }) => {
    const pairs = [
      [wanted.status, status],
      [wanted.level, health.level],
      [wanted.admin_state, health.admin_state],
      [wanted.action, health.action],
      [wanted.protocol, protocol],
    ];
    if (!pairs.every(([asked, has]) => asked === undefined || asked === has)) return false;
    const lower = [name, command, ...args, url].join(" ").toLowerCase();
    return words.every((one) => lower.includes(one));
  };
}

export const serverPages = pagedListing(
  "servers",
  [
    "name",
    "protocol",
    "status",
    "health.level",
    "health.admin_state",
    "tool_count",
    "created",
    "updated",
    "connected_at",
    "reconnect_count",
    "retry_count",
  ],
  "as configured",
);

export const serverFieldsParameter = fieldsParameter(ServerRecord);
