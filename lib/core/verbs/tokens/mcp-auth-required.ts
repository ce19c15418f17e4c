import type { App } from "../../app.ts";

/** True if MCP clients must authenticate; the multi-user edition forces this setting. */
export const mcpAuthRequired = ({ config }: Pick<App, "config">): boolean => config.current().require_mcp_auth;
