import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, Script } from "node:vm";
import { asset, isExecutable } from "./asset.ts";

/** The packages of one script: each is initialised by its function and returned with its exports. */
type Packages = Readonly<Record<string, () => Readonly<Record<string, unknown>>>>;

/**
 * Loads a script of npm packages that a start does not need (`build/libraries.mjs`). In the executable V8's code cache
 * of the script is beside it; without a cache, V8 compiles the script. Only the bundle calls this, once for each script.
 */
export function loadLibrary(name: string): Packages {
  const filename = `${name}.cjs`;
  // The script is pure ASCII.
  const script = new Script(asset(filename).toString("latin1"), {
    filename,
    cachedData: codeCache(`${name}.cache`),
    importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module: { exports: { packages?: Packages } } = { exports: {} };
  const program = fileURLToPath(import.meta.url);
  const run = script.runInThisContext() as (...scope: unknown[]) => void;
  run(createRequire(program), module, module.exports, program, dirname(program));
  return module.exports.packages!;
}

function codeCache(name: string): Buffer | undefined {
  if (!isExecutable()) return undefined;
  try {
    return asset(name);
  } catch {
    // Cross-built without a cache.
    return undefined;
  }
}
