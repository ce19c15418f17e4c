// @ts-check
/** `npm start`: builds the program and runs its main job with the bundled demo upstream. */
import { spawn } from "node:child_process";
import { bundle } from "./bundle.mjs";

const { outfile } = await bundle();
// Otherwise esbuild's process would remain as long as the program runs.
await (await import("esbuild")).stop();
const child = spawn(process.execPath, [outfile, "serve", "--demo", ...process.argv.slice(2)], {
  stdio: "inherit",
  // Less memory: one arena for all threads, and free memory goes back to the system.
  env: {
    MALLOC_ARENA_MAX: "1",
    MALLOC_TRIM_THRESHOLD_: "1048576",
    MALLOC_MMAP_THRESHOLD_: "32768",
    ...process.env,
  },
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
// npm does not forward SIGTERM, so the program must stop itself when npm has ended.
const { ppid } = process;
setInterval(() => process.ppid !== ppid && child.kill("SIGTERM"), 500).unref();
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
