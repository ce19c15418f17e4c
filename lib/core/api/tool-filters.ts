import * as v from "valibot";
import { ApprovalWordShape, ToolEntry, ToolScan } from "../schema/tool-entry.ts";
import { TOOL_SORTS, type ToolFilter } from "../verbs/tools/select-tools.ts";
import { fieldsParameter } from "./fields.ts";
import { pagedListing } from "./listing.ts";
import { text, word, words } from "./query.ts";

/** The filter parameters of every list of tools. */
export const toolFilters = {
  approval: words(ApprovalWordShape.options, "only tools with this approval status; separate several by commas"),
  enabled: word(["true", "false"], "true: only enabled tools; false: only blocked or excluded tools"),
  risk: word(ToolScan.entries.verdict.options, "only tools with this verdict of the offline scan; for administrators"),
  permission: word(["read", "write", "destructive"], "only tools that need this permission"),
  q: text(200, "words that must all occur in server, name, title or description"),
};
const Filters = v.object(toolFilters);

export function toolFilter({ approval, enabled, risk, permission, q }: v.InferOutput<typeof Filters>): ToolFilter {
  return { approval, enabled: enabled === undefined ? undefined : enabled === "true", risk, permission, q };
}

/** Pages of all tools. */
export const toolPages = pagedListing("tools", TOOL_SORTS, "servers as configured, tools as listed");

/** Pages of one server's tools. */
export const serverToolPages = pagedListing("server_tools", TOOL_SORTS, "tools that wait for approval first");

export const toolFieldsParameter = fieldsParameter(ToolEntry);
