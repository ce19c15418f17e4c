import { statSync } from "node:fs";
import { delimiter, extname, join } from "node:path";

interface Spawnable {
  command: string;
  args: string[];
  /** Windows: the arguments are quoted already. */
  verbatim: boolean;
}

/**
 * On Windows `npx`, `uvx` and their like are `.cmd` files, which only the command interpreter runs. It is called with
 * every argument quoted for it and its special characters escaped, so that no argument is read as a command.
 */
export function windowsCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Spawnable {
  const found = locate(command, env);
  if (!/\.(cmd|bat)$/i.test(found)) return { command: found, args: [...args], verbatim: false };
  const line = [minded(`"${found}"`), ...args.map((arg) => minded(minded(quoted(arg))))].join(" ");
  return { command: env.COMSPEC ?? env.ComSpec ?? "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

function locate(command: string, env: Readonly<Record<string, string>>): string {
  const value = (name: string) => Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? "";
  const endings = extname(command) ? [""] : (value("PATHEXT") || ".EXE;.CMD;.BAT").split(";");
  const folders = /[\\/]/.test(command) ? [""] : value("PATH").split(delimiter);
  for (const folder of folders)
    for (const ending of endings) {
      const path = folder ? join(folder, command + ending) : command + ending;
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
    }
  return command;
}

/** Quoted for the C runtime of the program that gets it in the end. */
function quoted(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
}

/** Escapes what the interpreter minds; arguments twice, since a batch file hands them on in a line of its own. */
function minded(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
