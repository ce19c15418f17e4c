import { mcpMount } from "#lib/core/mcp/mount.ts";

/** The mode fixed at start (spec 001 §2.1). */
export default mcpMount("/mcp", "default");
