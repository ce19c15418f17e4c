import { mcpMount } from "#lib/core/mcp/mount.ts";

/** Like `/mcp`, limited to one profile (reference 3.10). */
export default mcpMount("/mcp/p/{profile}", "default");
