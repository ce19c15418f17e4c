import { mcpMount } from "#lib/mcp/mount.ts";

export default mcpMount("/mcp/code", "code_execution");
