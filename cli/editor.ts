import { spawn } from "node:child_process";
import type { Cli } from "./cli.ts";

/**
 * Opens a file in the person's editor and waits until it ends: `VISUAL`, `EDITOR`, or else the system's usual one. The
 * variables may contain arguments, so a shell reads them, as for git.
 *
 * @throws Error if the editor cannot be started or fails
 */
export async function openEditor(path: string, { env }: Pick<Cli, "env">): Promise<void> {
  const isWindows = process.platform === "win32";
  const editor = env.VISUAL || env.EDITOR || (isWindows ? "notepad" : "vi");
  const child = isWindows
    ? spawn(`${editor} "${path}"`, { shell: true, stdio: "inherit" })
    : spawn("/bin/sh", ["-c", `${editor} "$@"`, editor, path], { stdio: "inherit" });
  const code = await new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    child.once("exit", done);
  });
  if (code !== 0) throw new Error(`the editor "${editor}" ended with code ${code}; set another one in EDITOR`);
}
