import { mcpMount } from "#lib/core/mcp/mount.ts";

/** The MCP endpoint in the routing mode set at the start (spec 001 §2.1). */
export default mcpMount("/mcp", "default");
