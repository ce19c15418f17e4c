import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, constants, link, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

/** How long the new program may take to print its version (ms). */
const CHECK_TIMEOUT_MS = 30_000;

/** The path under which the previous program is kept: `proxy.previous`, or `proxy.previous.exe` on Windows. */
export function previousPath(program: string): string {
  const extension = extname(program).toLowerCase() === ".exe" ? extname(program) : "";
  return join(dirname(program), `${basename(program, extension)}.previous${extension}`);
}

/**
 * Replaces the program by a new one in the same folder, in one step. The new program must first print the expected
 * version. The previous program stays beside it.
 *
 * @throws Error if the new program does not run or has another version, or the folder is not writable; the program is
 *   unchanged then
 */
export async function replaceProgram(program: string, bytes: Uint8Array, version: string): Promise<void> {
  await requireWritable(dirname(program));
  const temp = join(dirname(program), `.${basename(program)}.${randomBytes(6).toString("hex")}${extname(program)}`);
  try {
    const { mode } = await stat(program);
    const file = await open(temp, "wx", (mode & 0o777) | 0o500);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    const printed = await versionOf(temp);
    if (printed !== version) throw new Error(`the new program reports version "${printed}" instead of ${version}`);
    await swap(program, temp);
  } finally {
    await rm(temp, { force: true });
  }
}

/** Puts the previous program back; the current one becomes the previous one. @throws Error if there is none */
export async function rollBackProgram(program: string): Promise<string> {
  const previous = previousPath(program);
  const version = await versionOf(previous).catch(() => undefined);
  if (version === undefined) throw new Error(`there is no previous program at ${previous}`);
  await requireWritable(dirname(program));
  const temp = `${previous}.${randomBytes(6).toString("hex")}`;
  await rename(previous, temp);
  await swap(program, temp);
  return version;
}

/** @throws Error with the remedy if the folder of the program is not writable */
async function requireWritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK).catch((cause: unknown) => {
    throw new Error(`${folder} is not writable; run the command as the owner of that folder, for example with sudo`, {
      cause,
    });
  });
}

/** Moves a new program into the place of the old one, which becomes the previous program. */
async function swap(program: string, next: string): Promise<void> {
  const previous = previousPath(program);
  await rm(previous, { force: true });
  if (process.platform === "win32") {
    // A running program can be renamed on Windows, but not replaced.
    await rename(program, previous);
    await rename(next, program).catch(async (error: unknown) => {
      await rename(previous, program);
      throw error;
    });
    return;
  }
  // The program is in its place at every moment, also after a crash between the two steps.
  await link(program, previous);
  await rename(next, program);
}

function versionOf(program: string): Promise<string> {
  return new Promise((done, fail) => {
    execFile(program, ["--version"], { timeout: CHECK_TIMEOUT_MS }, (error, out) => {
      if (error) fail(new Error(`the new program does not run: ${error.message}`, { cause: error }));
      else done(out.trim());
    });
  });
}
