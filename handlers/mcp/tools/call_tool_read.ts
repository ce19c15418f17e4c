import { callTool } from "#lib/core/mcp/call-tool.ts";

export default callTool("call_tool_read", {
  title: "Call a tool that reads",
  description:
    "Calls an upstream tool that only reads. Use it when search says call_with: call_tool_read. Refuses tools their server marks destructive.",
  annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
});
