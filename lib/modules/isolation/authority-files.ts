import { existsSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { AUTHORITY_VARIABLES } from "../../core/config/child-environment.ts";

/**
 * The certificate authority files and folders that a server's environment names, so that the light sandbox can make
 * them visible. A container does not need them: the paths do not exist in an image, which has its own authorities.
 *
 * @param refused whether a path must not be made visible
 */
export function authorityFiles(env: Readonly<Record<string, string>>, refused: (path: string) => boolean): string[] {
  const named = AUTHORITY_VARIABLES.flatMap((name) => (env[name] ?? "").split(delimiter));
  return [...new Set(named)].filter((path) => isAbsolute(path) && existsSync(path) && !refused(path));
}
