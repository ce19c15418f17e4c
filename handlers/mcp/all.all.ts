import { mcpMount } from "#lib/core/mcp/mount.ts";

export default mcpMount("/mcp/all", "direct");
