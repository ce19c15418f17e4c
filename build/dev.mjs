// @ts-check
/** `npm run dev`: rebuilds and restarts `proxy serve --demo` whenever a source file changes. */
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { bundle } from "./bundle.mjs";

/** @type {import("node:child_process").ChildProcess | undefined} */
let child;
/** @type {NodeJS.Timeout | undefined} */
let timer;

async function restart() {
  try {
    const { outfile } = await bundle();
    if (child && child.exitCode === null) {
      child.kill("SIGTERM");
      await new Promise((done) => child?.once("exit", done));
    }
    child = spawn(process.execPath, [outfile, "serve", "--demo", ...process.argv.slice(2)], { stdio: "inherit" });
  } catch (e) {
    console.error(String(e));
  }
}

for (const folder of ["lib", "handlers", "cli"])
  watch(folder, { recursive: true }, (_, file) => {
    if (String(file).endsWith(".gen.ts")) return;
    clearTimeout(timer);
    timer = setTimeout(restart, 200);
  });
process.on("SIGINT", () => {
  child?.kill("SIGTERM");
  process.exit(0);
});
await restart();
