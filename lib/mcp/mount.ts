/** What an MCP endpoint serves; `default` is the mode fixed at start (spec 001 §2.1). */
export type McpMode = "retrieve_tools" | "direct" | "code_execution";

/** One MCP endpoint path. */
export interface McpMount {
  readonly path: string;
  readonly mode: McpMode | "default";
}

export function mcpMount(path: string, mode: McpMode | "default"): McpMount {
  return { path, mode };
}
