import { mcpMount } from "#lib/core/mcp/mount.ts";

/** As `/mcp`, within one profile (reference 3.10). */
export default mcpMount("/mcp/p/{profile}", "default");
