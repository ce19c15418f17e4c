import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { lazy } from "./lazy.ts";

declare const __ASSETS__: string | undefined;

/** Reads a file that is embedded in the executable (`build/loader.cts`); throws for an unknown name. */
type ReadEmbedded = (name: string) => Buffer;

const readEmbedded = (globalThis as { [key: symbol]: unknown })[Symbol.for("proxy.readEmbeddedFile")] as
  | ReadEmbedded
  | undefined;

/** Package managers start the bundle through a link elsewhere. */
const besideBundle = lazy(() => join(dirname(realpathSync(process.argv[1] ?? ".")), "assets"));

/** Reads a file that was built in: embedded in the executable, otherwise in `assets/` beside the bundle. */
export function asset(name: string): Buffer {
  // The bytes may be a view of the mapped executable: readers must not write to them.
  if (readEmbedded) return readEmbedded(name);
  return readFileSync(join(__ASSETS__ ?? besideBundle(), name));
}

/** True inside the single-file executable. */
export function isExecutable(): boolean {
  return readEmbedded !== undefined;
}
