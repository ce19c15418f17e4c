import * as v from "valibot";
import type { ToolAnnotations } from "./mcp.ts";

const text = v.exactOptional(v.string());
const Schema = v.record(v.string(), v.unknown());

/** A tool as it is shown to a model (spec 001 §4.1). */
export const DescribedTool = v.object({
  name: v.pipe(v.string(), v.description("server:tool")),
  title: text,
  description: v.string(),
  inputSchema: Schema,
  outputSchema: v.exactOptional(Schema),
  server: v.string(),
  annotations: v.exactOptional(v.custom<ToolAnnotations>((value) => typeof value === "object" && value !== null)),
  call_with: v.picklist(["call_tool_read", "call_tool_write", "call_tool_destructive"]),
});
export type DescribedTool = v.InferOutput<typeof DescribedTool>;
