// @ts-check
/** Installs the dependencies when a fresh clone has none, so that `npm start` and `npm test` each work alone. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const root = new URL("..", import.meta.url);

export function ensureInstalled() {
  if (existsSync(new URL("node_modules/esbuild/package.json", root))) return;
  console.error("installing dependencies (once)…");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // Output goes to stderr: what runs next owns standard output.
  execFileSync(npm, ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
}
