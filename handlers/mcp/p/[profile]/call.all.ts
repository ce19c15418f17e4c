import { mcpMount } from "#lib/mcp/mount.ts";

export default mcpMount("/mcp/p/{profile}/call", "retrieve_tools");
