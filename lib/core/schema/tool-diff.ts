import * as v from "valibot";
import { ApprovalWordShape, ToolEntry, ToolScan } from "./tool-entry.ts";

const text = v.string();

/** The approved and the current definition of a tool: every field that an approval covers, as text (spec 000 §2.5). */
export const ToolDiff = v.object({
  server_name: text,
  tool_name: text,
  status: ApprovalWordShape,
  withheld: ToolEntry.entries.withheld,
  approved_hash: v.pipe(text, v.description("empty without an approval, and for agents")),
  current_hash: v.pipe(text, v.description("empty for agents")),
  previous_title: text,
  current_title: text,
  previous_description: text,
  current_description: text,
  previous_schema: v.pipe(text, v.description("JSON with sorted keys")),
  current_schema: text,
  previous_output_schema: text,
  current_output_schema: text,
  previous_annotations: text,
  current_annotations: text,
  previous_icons: text,
  current_icons: text,
  previous_meta: v.pipe(
    text,
    v.description("metadata of the server for clients (_meta), such as a user interface to show"),
  ),
  current_meta: text,
  scan: v.optional(v.pipe(ToolScan, v.description("offline scan of the current definition; for operators"))),
});
export type ToolDiff = v.InferOutput<typeof ToolDiff>;
