import { mcpMount } from "#lib/mcp/mount.ts";

export default mcpMount("/mcp/call", "retrieve_tools");
