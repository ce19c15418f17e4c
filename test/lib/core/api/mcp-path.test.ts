import assert from "node:assert/strict";
import { test } from "node:test";
import { mcpPath } from "#lib/core/api/mcp-path.ts";

test("an alias that ends in /mcp is the path of the endpoint it stands for, and every other path stays", () => {
  const rows: [path: string, endpoint: string][] = [
    ["/all/mcp", "/mcp/all"],
    ["/call/mcp", "/mcp/call"],
    ["/code/mcp", "/mcp/code"],
    ["/all/mcp/", "/mcp/all"],
    ["/p/front/mcp", "/mcp/p/front"],
    ["/p/fr%20ont/mcp", "/mcp/p/fr%20ont"],
    ["/p/front/all/mcp", "/mcp/p/front/all"],
    ["/p/mcp/mcp", "/mcp/p/mcp"],
  ];
  const others = ["/mcp", "/mcp/", "/mcp/all", "/mcp/mcp", "/other/mcp", "/p/mcp", "/p//mcp", "/p/a/b/mcp"];
  const near = ["//all/mcp", "/all//mcp", "/all/mcp//", "/all/mcp/all", "/ALL/mcp", "/api/v1/mcp", "/p/a/../mcp"];

  for (const [path, endpoint] of rows) assert.equal(mcpPath(path), endpoint, path);
  for (const path of [...others, ...near]) assert.equal(mcpPath(path), path, path);
});
