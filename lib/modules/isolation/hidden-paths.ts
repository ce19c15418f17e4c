import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isWithin } from "./isolation-breach.ts";
import { isSystem } from "./sandbox.ts";

/**
 * Paths on a command line that exist on this machine but are hidden from the started program, which would not find
 * them.
 *
 * @param visible folders that are visible to the program
 */
export function hiddenPaths(args: readonly string[], visible: readonly string[]): string[] {
  const named = args.map((arg) => arg.replace(/^--?[\w-]+=/, "")).filter((arg) => isAbsolute(arg) && arg !== "/");
  return named.filter((path) => !isSystem(path) && !visible.some((one) => isWithin(path, one)) && existsSync(path));
}
