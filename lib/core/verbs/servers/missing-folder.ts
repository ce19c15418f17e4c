import { stat } from "node:fs/promises";
import type { ServerConfig } from "../../config/config-keys.ts";

/**
 * What is the matter with the folder that a server is to start in; undefined when nothing is, or when that is known only
 * at the start, as of one that a reference names. No error: a folder may be mounted, or made, before it is needed.
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
