import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { configPath, dataFolder } from "#lib/core/config/paths.ts";

test("file and data directory are found by flag, environment, file, folder, home", () => {
  const home = resolve("/home/u");
  const env = { HOME: home };
  const rows: [wishes: Parameters<typeof configPath>[0], inFile: unknown, file: string, data: string][] = [
    [{ env }, undefined, join(home, ".mcpproxy", "mcp_config.json"), join(home, ".mcpproxy")],
    [{ env, dataDir: "/d" }, "/f", resolve("/d/mcp_config.json"), resolve("/d")],
    [{ env: { ...env, SERVICE_DATA: "/e" } }, "/f", resolve("/e/mcp_config.json"), resolve("/e")],
    [{ env: { ...env, SERVICE_DATA: "/e" }, dataDir: "/d" }, "/f", resolve("/d/mcp_config.json"), resolve("/d")],
    [{ env, path: "/c/x.json" }, undefined, resolve("/c/x.json"), resolve("/c")],
    [{ env, path: "/c/x.json" }, "/f", resolve("/c/x.json"), resolve("/f")],
    [{ env, path: "/c/x.json" }, "data", resolve("/c/x.json"), resolve("/c/data")],
    [{ env, path: "/c/x.json" }, "~/data", resolve("/c/x.json"), join(home, "data")],
    [{ env, path: "/c/x.json", dataDir: "~" }, undefined, resolve("/c/x.json"), home],
    [{ env, path: "~/x.json" }, "", join(home, "x.json"), home],
    [{ env }, "/f", join(home, ".mcpproxy", "mcp_config.json"), resolve("/f")],
    [{ env: { ...env, SERVICE_DATA: "" } }, 5, join(home, ".mcpproxy", "mcp_config.json"), join(home, ".mcpproxy")],
  ];
  for (const [wishes, inFile, file, data] of rows) {
    assert.equal(configPath(wishes), file, JSON.stringify(wishes));
    assert.equal(dataFolder(wishes, inFile), data, JSON.stringify(wishes));
  }
});
