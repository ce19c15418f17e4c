import type { App } from "../../app.ts";

/** Whether MCP clients must show a credential; always so in the multi-user edition, where the settings say so. */
export const mcpAuthRequired = ({ config }: Pick<App, "config">): boolean => config.current().require_mcp_auth;
