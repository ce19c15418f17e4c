import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { within } from "./isolation-breach.ts";
import { isSystem } from "./sandbox.ts";

/**
 * Paths on a command line that are on this machine and hidden from whoever is started: it would not find what it is told
 * to look at.
 *
 * @param shown folders it is given
 */
export function hiddenPaths(args: readonly string[], shown: readonly string[]): string[] {
  const named = args.map((arg) => arg.replace(/^--?[\w-]+=/, "")).filter((arg) => isAbsolute(arg) && arg !== "/");
  return named.filter((path) => !isSystem(path) && !shown.some((one) => within(path, one)) && existsSync(path));
}
