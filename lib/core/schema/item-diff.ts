import * as v from "valibot";
import { LISTED_KINDS } from "./item.ts";
import { ApprovalWordShape, ToolEntry, ToolScan } from "./tool-entry.ts";

/** The approved and the current definition of a prompt, resource or resource template, as text. */
export const ItemDiff = v.object({
  kind: v.picklist(LISTED_KINDS),
  name: v.string(),
  server_name: v.string(),
  status: ApprovalWordShape,
  disabled: v.pipe(v.boolean(), v.description("blocked by a person")),
  withheld: ToolEntry.entries.withheld,
  approved_hash: v.pipe(v.string(), v.description("empty without an approval, and for agents")),
  current_hash: v.pipe(v.string(), v.description("empty for agents")),
  previous: v.pipe(v.string(), v.description("JSON with sorted keys; empty without an approval")),
  current: v.pipe(v.string(), v.description("JSON with sorted keys")),
  scan: v.optional(v.pipe(ToolScan, v.description("offline scan of the current definition; for operators"))),
});
export type ItemDiff = v.InferOutput<typeof ItemDiff>;
