import { stat } from "node:fs/promises";
import type { ServerConfig } from "../../config/config-keys.ts";

/**
 * Returns the problem with the working directory of a server; undefined if there is none, or if it can be checked only
 * at the start of the server, because of a secret reference. It is not an error: a folder may be mounted or created
 * later.
 */
export async function missingFolder({
  command,
  working_dir: path,
}: Pick<ServerConfig, "command" | "working_dir">): Promise<string | undefined> {
  if (!command || !path || path.includes("${")) return undefined;
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder
    ? undefined
    : `working_dir ${path} does not exist or is not a folder; the server cannot start without it`;
}
