import { mcpMount } from "#lib/core/mcp/mount.ts";

export default mcpMount("/mcp/call", "retrieve_tools");
