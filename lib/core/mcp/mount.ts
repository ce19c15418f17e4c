/** What an MCP endpoint offers (spec 001 §2.1). */
export type McpMode = "retrieve_tools" | "direct" | "code_execution";

/** One MCP endpoint path; `{profile}` in it stands for the name of a profile. */
export interface McpMount {
  readonly path: string;
  readonly mode: McpMode | "default";
}

export function mcpMount(path: string, mode: McpMode | "default"): McpMount {
  return { path, mode };
}

/** Returns a function that finds the endpoint for a path, and the profile that the path names. */
export function mountsByPath(
  mounts: readonly McpMount[],
): (path: string) => { mount: McpMount; profile?: string } | undefined {
  const byPath = new Map(mounts.flatMap((mount) => [mount.path, `${mount.path}/`].map((path) => [path, { mount }])));
  return (path) => {
    const found = byPath.get(path);
    if (found || !path.startsWith("/mcp/p/")) return found;
    const [, , , profile = ""] = path.split("/", 4);
    const rest = path.slice("/mcp/p/".length + profile.length);
    const within = profile === "" ? undefined : byPath.get(`/mcp/p/{profile}${rest}`);
    return within && { ...within, profile };
  };
}
