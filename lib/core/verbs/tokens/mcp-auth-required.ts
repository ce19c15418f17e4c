import type { App } from "../../app.ts";

/** Whether MCP clients must authenticate; in the multi-user edition always, because its settings force it. */
export const mcpAuthRequired = ({ config }: Pick<App, "config">): boolean => config.current().require_mcp_auth;
