import assert from "node:assert/strict";
import { test } from "node:test";
import { POPULAR } from "#lib/modules/scan/rules/popular.ts";
import { resembles } from "#lib/modules/scan/rules/typosquat.ts";

test("a name that differs from a popular one by a typing error is reported with that one", () => {
  const rows: ["npm" | "pypi", string, string][] = [
    ["npm", "@modelcontextprotoco1/server-filesystem", "@modelcontextprotocol/server-filesystem"],
    ["npm", "modelcontextprotocol-server-filesystem", "@modelcontextprotocol/server-filesystem"],
    ["npm", "@modelcontextprotocl/server-filesystem", "@modelcontextprotocol/server-filesystem"],
    ["npm", "@playwrght/mcp", "@playwright/mcp"],
    ["npm", "firecrawl-mpc", "firecrawl-mcp"],
    ["npm", "chrome-devtools_mcp", "chrome-devtools-mcp"],
    ["npm", "tavi1y-mcp", "tavily-mcp"],
    ["pypi", "mcp-server-fetchh", "mcp-server-fetch"],
    ["pypi", "reqeusts", "requests"],
  ];
  for (const [source, name, like] of rows) assert.equal(resembles(source, name)?.name, like, name);
});

test("popular names themselves, their relatives and strangers are let be", () => {
  const rows: ["npm" | "pypi", string][] = [
    ["npm", "@modelcontextprotocol/server-filesystem"],
    ["npm", "@modelcontextprotocol/server-filesystem2"],
    ["npm", "my-very-own-server"],
    ["npm", "weather-mcp"],
    ["pypi", "mcp_server_fetch"],
    ["pypi", "awslabs-core-mcp-server"],
    ["pypi", "my-tools"],
  ];
  for (const [source, name] of rows) assert.equal(resembles(source, name), undefined, name);
  for (const source of ["npm", "pypi"] as const)
    for (const name of POPULAR[source]) assert.equal(resembles(source, name), undefined, name);
});
