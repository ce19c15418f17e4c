import assert from "node:assert/strict";
import { test } from "node:test";
import { mcpMount, mountsByPath } from "#lib/core/mcp/mount.ts";

test("a path leads to its endpoint, and names at most one profile", () => {
  const at = mountsByPath(
    ["/mcp", "/mcp/all", "/mcp/p/{profile}", "/mcp/p/{profile}/all"].map((p) => mcpMount(p, "direct")),
  );
  const rows: [path: string, mount?: string, profile?: string][] = [
    ["/mcp", "/mcp"],
    ["/mcp/", "/mcp"],
    ["/mcp/all/", "/mcp/all"],
    ["/mcp/p/a", "/mcp/p/{profile}", "a"],
    ["/mcp/p/a/", "/mcp/p/{profile}", "a"],
    ["/mcp/p/a/all", "/mcp/p/{profile}/all", "a"],
    ["/mcp/p/all", "/mcp/p/{profile}", "all"],
    ["/mcp/p/a/all/", "/mcp/p/{profile}/all", "a"],
    ["/mcp/p/a/none"],
    ["/mcp/p/a/all/all"],
    ["/mcp/p"],
    ["/mcp/p/"],
    ["/mcp/p//all"],
    ["/mcp//"],
    ["/other"],
  ];
  for (const [path, mount, profile] of rows) {
    const found = at(path);
    assert.deepEqual([found?.mount.path, found?.profile], [mount, profile], path);
  }
});
