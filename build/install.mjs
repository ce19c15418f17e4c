// @ts-check
/** Installs the dependencies in a fresh clone, so that `npm start` and `npm test` work without `npm install`. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const root = new URL("..", import.meta.url);

export function ensureInstalled() {
  if (existsSync(new URL("node_modules/esbuild/package.json", root))) return;
  console.error("installing dependencies (once)…");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // Output goes to standard error, because the next command uses standard output.
  execFileSync(npm, ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
}
