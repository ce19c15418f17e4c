import { existsSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { AUTHORITY_VARIABLES } from "../../core/config/child-environment.ts";

/**
 * Files and folders of certificate authorities that the environment of a server names, so that the light sandbox can show
 * them to it. A container gets neither: the path means nothing in an image, which trusts authorities of its own.
 *
 * @param refused whether a path may not be shown
 */
export function authorityFiles(env: Readonly<Record<string, string>>, refused: (path: string) => boolean): string[] {
  const named = AUTHORITY_VARIABLES.flatMap((name) => (env[name] ?? "").split(delimiter));
  return [...new Set(named)].filter((path) => isAbsolute(path) && existsSync(path) && !refused(path));
}
