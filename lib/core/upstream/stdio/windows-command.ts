import { statSync } from "node:fs";
import { delimiter, extname, join } from "node:path";

interface Spawnable {
  command: string;
  args: string[];
  /** Windows: if set, the arguments are quoted already. */
  verbatim: boolean;
}

/**
 * Returns how to start a command on Windows. There, `npx`, `uvx` and similar commands are `.cmd` files, which only the
 * command interpreter runs. Every argument is quoted for it, with special characters escaped, so that none is taken for
 * a command.
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

/** Quotes a word for the C runtime of the program that finally receives it. */
function quoted(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
}

/**
 * Escapes the characters that are special for the interpreter; arguments twice, because a batch file passes them on in
 * a new command line.
 */
function minded(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
