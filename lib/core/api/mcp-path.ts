/**
 * Converts an alias of an MCP endpoint to the endpoint's path: `/all/mcp` to `/mcp/all`, `/p/x/mcp` to `/mcp/p/x`. Any
 * other path stays unchanged. The aliases exist because some clients accept only URLs that end in `/mcp`.
 */
export function mcpPath(path: string): string {
  const alias = path.endsWith("/mcp") || path.endsWith("/mcp/") ? ALIAS.exec(path) : null;
  return alias ? `/mcp/${alias[1]}` : path;
}

const ALIAS = /^\/((?:all|call|code)|p\/[^/]+(?:\/(?:all|call|code))?)\/mcp\/?$/;
