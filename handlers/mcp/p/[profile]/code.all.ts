import { mcpMount } from "#lib/core/mcp/mount.ts";

export default mcpMount("/mcp/p/{profile}/code", "code_execution");
