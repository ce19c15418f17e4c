import { callTool } from "#lib/core/mcp/call-tool.ts";

export default callTool("call_tool_read", {
  title: "Call a read-only tool",
  description:
    "Calls an upstream tool that only reads. Use it if the search result has call_with: call_tool_read. Rejects tools that their server marks as destructive.",
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  searchHint: "call a tool that only reads",
});
