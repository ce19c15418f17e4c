/**
 * The path of an MCP endpoint, for an alias of it that ends in `/mcp`: `/all/mcp` is `/mcp/all`, `/p/x/mcp` is
 * `/mcp/p/x`. Any other path stays as it is. Some clients only accept addresses that end in `/mcp`.
 */
export function mcpPath(path: string): string {
  const alias = path.endsWith("/mcp") || path.endsWith("/mcp/") ? ALIAS.exec(path) : null;
  return alias ? `/mcp/${alias[1]}` : path;
}

const ALIAS = /^\/((?:all|call|code)|p\/[^/]+(?:\/(?:all|call|code))?)\/mcp\/?$/;
