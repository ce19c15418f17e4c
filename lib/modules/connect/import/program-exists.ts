import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** Whether a command would find its program: at its path, or in a folder of PATH. */
export async function programExists(
  command: string,
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const isPath = command.includes("/") || (platform === "win32" && command.includes("\\"));
  const folders = isPath ? [""] : (env.PATH ?? env.Path ?? "").split(delimiter);
  const endings = platform === "win32" ? ["", ...(env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";")] : [""];
  const paths = folders.flatMap((folder) => endings.map((ending) => join(folder, command + ending)));
  const mode = platform === "win32" ? constants.F_OK : constants.X_OK;
  const found = await Promise.all(paths.map((path) => access(path, mode).then(yes, no)));
  return found.includes(true);
}

const yes = () => true;
const no = () => false;
