import { callTool } from "#lib/core/mcp/call-tool.ts";

export default callTool("call_tool_write", {
  title: "Call a tool that writes",
  description:
    "Calls an upstream tool that adds or changes something. Use it when search says call_with: call_tool_write. Refuses tools their server marks destructive.",
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
});
