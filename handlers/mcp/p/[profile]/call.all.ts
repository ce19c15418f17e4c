import { mcpMount } from "#lib/core/mcp/mount.ts";

export default mcpMount("/mcp/p/{profile}/call", "retrieve_tools");
