import { mcpMount } from "#lib/core/mcp/mount.ts";

export default mcpMount("/mcp/code", "code_execution");
