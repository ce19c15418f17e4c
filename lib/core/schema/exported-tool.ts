import * as v from "valibot";
import { ApprovalWordShape, ToolEntry } from "./tool-entry.ts";

const schema = v.record(v.string(), v.unknown());

/** A tool of one server with its description and schemas, for use outside the proxy (spec 000 §4.2). */
export const ExportedTool = v.object({
  server_name: v.string(),
  tool_name: v.string(),
  status: ApprovalWordShape,
  hash: v.optional(v.string()),
  title: v.optional(v.string()),
  description: v.string(),
  withheld: ToolEntry.entries.withheld,
  schema,
  output_schema: v.optional(schema),
  annotations: v.optional(schema),
  enabled: v.boolean(),
  disabled: v.boolean(),
});
export type ExportedTool = v.InferOutput<typeof ExportedTool>;
