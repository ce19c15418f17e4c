import { mcpMount } from "#lib/mcp/mount.ts";

/** As `/mcp`, within one profile (reference 3.10). */
export default mcpMount("/mcp/p/{profile}", "default");
