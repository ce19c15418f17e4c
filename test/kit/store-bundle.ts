import { join } from "node:path";
import { build } from "esbuild";

declare const __ASSETS__: string;

/**
 * Bundles the store in one CommonJS file, as in the program, for test programs in separate processes.
 *
 * @returns the path of the file, for `test/programs/store-*.mjs`
 */
export async function bundleStore(folder: string): Promise<string> {
  const outfile = join(folder, "store.cjs");
  await build({
    stdin: {
      contents: `
        export { openStore } from "./lib/core/store/open-store.ts";
        export { lockFolder } from "./lib/core/store/lock.ts";
        export { systemClock } from "./lib/core/base/clock.ts";`,
      resolveDir: process.cwd(),
    },
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "warning",
    define: { __ASSETS__: JSON.stringify(__ASSETS__) },
  });
  return outfile;
}

/** The programs' paths; tests run from the root of the repository. */
export const STORE_WRITER = "test/programs/store-writer.mjs";
export const STORE_HOLDER = "test/programs/store-holder.mjs";
