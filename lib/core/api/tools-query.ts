import * as v from "valibot";
import { ApprovalWord, ToolEntry, ToolScan } from "../schema/tool-entry.ts";
import { TOOL_SORTS, type ToolFilter } from "../verbs/tools/select.ts";
import { fieldsOf } from "./fields.ts";
import { listing } from "./listing.ts";
import { text, word, words } from "./query.ts";

/** The parameters that every list of tools takes. */
export const toolFilters = {
  approval: words(ApprovalWord.options, "only tools that stand so with their approval, one or several with commas"),
  enabled: word(["true", "false"], "true: only tools in use; false: only those blocked or left out"),
  risk: word(ToolScan.entries.verdict.options, "only tools of which the offline scan says this; for administrators"),
  permission: word(["read", "write", "destructive"], "only tools that take this permission"),
  q: text(200, "words that must all occur in server, name, title or description"),
};
const Filters = v.object(toolFilters);

export function toolFilter({ approval, enabled, risk, permission, q }: v.InferOutput<typeof Filters>): ToolFilter {
  return { approval, enabled: enabled === undefined ? undefined : enabled === "true", risk, permission, q };
}

/** Pages of all tools. */
export const toolPages = listing("tools", TOOL_SORTS, "servers as configured, tools as listed");

/** Pages of one server's tools. */
export const serverToolPages = listing("server_tools", TOOL_SORTS, "those that wait for approval first");

export const toolFields = fieldsOf(ToolEntry);
