import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { lazy } from "./lazy.ts";

declare const __ASSETS__: string | undefined;

interface Sea {
  isSea(): boolean;
  getRawAsset(name: string): ArrayBuffer;
}

/** The files inside the single-file executable; undefined for a process that runs from a bundle. */
const embedded = lazy((): Sea | undefined => {
  try {
    const sea = createRequire(process.execPath)("node:sea") as Sea;
    return sea.isSea() ? sea : undefined;
  } catch {
    return undefined;
  }
});

/** Package managers start the bundle through a link elsewhere. */
const besideBundle = lazy(() => join(dirname(realpathSync(process.argv[1] ?? ".")), "assets"));

/** Reads a file that was built in: embedded in the executable, otherwise in `assets/` beside the bundle. */
export function asset(name: string): Buffer {
  const found = embedded();
  // The bytes are a view of the mapped executable: readers must not write to them.
  if (found) return Buffer.from(found.getRawAsset(name));
  return readFileSync(join(__ASSETS__ ?? besideBundle(), name));
}

/** True inside the single-file executable. */
export function isExecutable(): boolean {
  return embedded() !== undefined;
}
