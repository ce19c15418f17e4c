import { callTool } from "#lib/core/mcp/call-tool.ts";

export default callTool("call_tool_destructive", {
  title: "Call a tool that may destroy",
  description:
    "Calls an upstream tool that may delete or overwrite for good. Use it when search says call_with: call_tool_destructive. Takes any tool.",
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
});
