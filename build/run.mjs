// @ts-check
/** Bundles one TypeScript file and runs it: `node build/run.mjs test/bench/main.ts [args]`. */
import { spawnSync } from "node:child_process";
import { testBuild } from "./test.mjs";

const [entry = "", ...args] = process.argv.slice(2);
const built = await testBuild([entry]);
const done = spawnSync(process.execPath, ["--enable-source-maps", ...built.files, ...args], { stdio: "inherit" });
built.clean();
process.exit(done.status ?? 1);
