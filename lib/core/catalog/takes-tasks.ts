import type { ToolDefinition } from "../schema/tool.ts";

/** True if a tool can be called as a task; by default it cannot. (MCP 2025-11-25, tasks: Tool-Level Negotiation) */
export function takesTasks(tool: Pick<ToolDefinition, "execution"> | undefined): boolean {
  const { taskSupport = "forbidden" } = tool?.execution ?? {};
  return taskSupport !== "forbidden";
}
