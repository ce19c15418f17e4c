import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Limits from the first step of a setup to the first call by the client. */
export const MAX_SETUP_SECONDS = 90;
export const MAX_SETUP_DECISIONS = 6;

/** The program of an installed package. */
function binary(from: string, name: string): string {
  const path = join(from, "node_modules", name, "package.json");
  const { bin } = JSON.parse(readFileSync(path, "utf8"));
  return join(dirname(path), typeof bin === "string" ? bin : String(Object.values(bin)[0]));
}

/** Six real servers, as an MCP client configures them; `skip` says why they cannot be installed. */
export function sixServers() {
  const installed = spawnSync("test/npm/install.sh", ["servers"], { encoding: "utf8" });
  const cache = installed.stdout.trim();
  const local = process.cwd();
  const node = (path: string, ...args: string[]) => ({ command: process.execPath, args: [path, ...args] });
  return {
    skip: installed.status === 0 ? false : `the servers cannot be installed: ${installed.stderr.slice(-300)}`,
    servers: (home: string) => ({
      filesystem: node(binary(local, "@modelcontextprotocol/server-filesystem"), home),
      memory: {
        ...node(binary(local, "@modelcontextprotocol/server-memory")),
        env: { MEMORY_FILE_PATH: join(home, "memory.json") },
      },
      everything: node(binary(local, "@modelcontextprotocol/server-everything")),
      thinking: node(binary(cache, "@modelcontextprotocol/server-sequential-thinking")),
      github: {
        ...node(binary(cache, "@modelcontextprotocol/server-github")),
        env: { GITHUB_PERSONAL_ACCESS_TOKEN: "ghp_0123456789abcdefghijklmnopqrstuvwxyz" },
      },
      charts: node(binary(cache, "@antv/mcp-server-chart")),
    }),
  } as const;
}
