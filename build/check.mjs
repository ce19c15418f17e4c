// @ts-check
/** `npm run check`: the compiler, for the program and for browser code, then the linter and formatter. */
import { spawnSync } from "node:child_process";
import { ensureInstalled } from "./install.mjs";

ensureInstalled();
const { generate } = await import("./generate-tables.mjs");
generate();
const run = (/** @type {string[]} */ args) =>
  spawnSync("npx", ["--no-install", ...args], { stdio: "inherit" }).status ?? 1;
const codes = [
  run(["tsc", "--noEmit"]),
  run(["tsc", "--noEmit", "-p", "handlers/ui/panel"]),
  run(["tsc", "--noEmit", "-p", "build/site/browser"]),
  run(["biome", "check", "."]),
];
process.exit(Math.max(...codes));
