import { callTool } from "#lib/core/mcp/call-tool.ts";

export default callTool("call_tool_write", {
  title: "Call a write tool",
  description:
    "Calls an upstream tool that adds or changes data. Use it if the search result has call_with: call_tool_write. Rejects tools that their server marks as destructive.",
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  searchHint: "call a tool that changes data",
});
