import { callTool } from "#lib/core/mcp/call-tool.ts";

export default callTool("call_tool_destructive", {
  title: "Call a destructive tool",
  description:
    "Calls an upstream tool that may permanently delete or overwrite data. Use it if the search result has call_with: call_tool_destructive. Accepts any tool.",
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  searchHint: "call a tool that deletes or overwrites data",
});
