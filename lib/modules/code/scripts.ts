import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "./faults.ts";
import type { Language } from "./sandbox/sandbox.ts";

/** Largest stored script (bytes; spec 001 §2.4). */
export const MAX_SCRIPT_BYTES = 262_144;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const EXTENSIONS = { ".js": "javascript", ".ts": "typescript" } as const satisfies Record<string, Language>;
/** Maximum number of existing names listed in the message about an unknown name. */
const LISTED_NAMES = 20;

interface Script {
  name: string;
  source: string;
  language: Language;
}

interface ScriptEntry {
  name: string;
  paths: string[];
  status: "ok" | "ambiguous" | "invalid";
  reason?: "empty" | "oversized" | "unreadable" | "non-regular";
}

/** What a message may disclose: names and folder, the names of scripts, or only the requested name. */
export type Disclosure = "paths" | "names" | "nothing";

/**
 * Reads one stored script (spec 001 §2.4). The name is checked before the disk is accessed, and must equal a directory
 * entry exactly, so that case matters on every file system. The file is opened once and read with a limit, never
 * through a symbolic link.
 *
 * @param tell what messages may disclose to the caller (spec 001 §5.3, §7)
 * @throws Fault script_name, script_not_found, script_unusable
 */
export async function readScript(dir: string, name: string, tell: Disclosure): Promise<Script> {
  checkName(name);
  const entries = await names(dir);
  const found = candidates(name).filter((file) => entries.includes(file));
  const [file] = found;
  if (file === undefined)
    throw new Fault("script_not_found", { reason: await unknownName(dir, name, { entries, tell }) });
  if (found.length > 1)
    throw new Fault("script_unusable", {
      reason:
        tell === "nothing"
          ? `script "${name}" is ambiguous`
          : `script "${name}" is ambiguous: both ${found.map((f) => displayPath(dir, f, tell)).join(" and ")} exist; remove one`,
    });
  const path = join(dir, file);
  const read = await readOnce(path);
  if (!("source" in read))
    throw new Fault("script_unusable", {
      reason: `script "${name}" cannot be used: ${TEXT[read.reason]}${tell === "nothing" ? "" : ` (${displayPath(dir, file, tell)})`}`,
    });
  return { name, source: read.source, language: EXTENSIONS[file.slice(-3) as ".js" | ".ts"] };
}

/** Every stored script with its advisory status; an absent directory is an empty list (spec 001 §2.4). */
export async function listScripts(dir: string): Promise<ScriptEntry[]> {
  const entries = await names(dir);
  const out: ScriptEntry[] = [];
  for (const name of validNames(entries)) {
    const paths = candidates(name)
      .filter((file) => entries.includes(file))
      .map((file) => join(dir, file));
    if (paths.length > 1) out.push({ name, paths, status: "ambiguous" });
    else {
      const read = await readOnce(paths[0]!);
      out.push(
        "source" in read ? { name, paths, status: "ok" } : { name, paths, status: "invalid", reason: read.reason },
      );
    }
  }
  return out;
}

const displayPath = (dir: string, file: string, tell: Disclosure) => (tell === "paths" ? join(dir, file) : file);

type Reason = NonNullable<ScriptEntry["reason"]>;

const TEXT: Record<Reason, string> = {
  empty: "it is empty",
  oversized: `it is larger than ${MAX_SCRIPT_BYTES} bytes`,
  unreadable: "it cannot be read",
  "non-regular": "it is not a regular file",
};

function checkName(name: string): void {
  if (NAME.test(name)) return;
  if (name === "") throw new Fault("script_name", { reason: "the script name is empty" });
  if (name.length > 64 && /^[A-Za-z0-9_-]+$/.test(name))
    throw new Fault("script_name", { reason: `the script name has ${name.length} characters; at most 64 are allowed` });
  const bad = [...name].find((c) => !/[A-Za-z0-9_-]/.test(c));
  throw new Fault("script_name", {
    reason: `the script name contains ${JSON.stringify(bad)}; allowed are letters, digits, "_" and "-" (a bare name, no path, no extension)`,
  });
}

const candidates = (name: string) => Object.keys(EXTENSIONS).map((extension) => name + extension);

async function names(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch {
    return [];
  }
}

function validNames(entries: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of entries) {
    const name = file.slice(0, -3);
    if (file.slice(-3) in EXTENSIONS && NAME.test(name)) found.add(name);
  }
  return [...found].sort();
}

async function unknownName(
  dir: string,
  name: string,
  { entries, tell }: { entries: readonly string[]; tell: Disclosure },
): Promise<string> {
  if (tell === "nothing") return `script "${name}" not found`;
  const all = await usableNames(dir, entries);
  if (all.length === 0) return `script "${name}" not found; there are no stored scripts`;
  const firstNames = all.slice(0, LISTED_NAMES).join(", ");
  return `script "${name}" not found; ${all.length} stored script(s): ${firstNames}${all.length > LISTED_NAMES ? ", …" : ""}`;
}

/** Maximum number of files whose metadata is read for one message; further files are judged by name. */
const MAX_LOOKED_AT = 500;

/** Names of scripts that can be run: each is one regular file, neither empty nor too large. */
async function usableNames(dir: string, entries: readonly string[]): Promise<string[]> {
  const entryNames = new Set(entries);
  const named = validNames(entries).map((name) => ({
    name,
    files: candidates(name).filter((file) => entryNames.has(file)),
  }));
  const looked = await Promise.all(
    named.slice(0, MAX_LOOKED_AT).map(async ({ name, files }) => {
      if (files.length > 1) return [];
      const found = await lstat(join(dir, files[0]!)).catch(() => undefined);
      return found?.isFile() && found.size > 0 && found.size <= MAX_SCRIPT_BYTES ? [name] : [];
    }),
  );
  return [...looked.flat(), ...named.slice(MAX_LOOKED_AT).map(({ name }) => name)];
}

/**
 * Reads a file with one open and one read of at most one byte more than allowed. The flags of the open exclude symbolic
 * links and prevent blocking on a FIFO.
 */
async function readOnce(path: string): Promise<{ source: string } | { reason: Reason }> {
  let file: FileHandle | undefined;
  try {
    // Windows has neither flag, so a link is detected just before the open.
    if (constants.O_NOFOLLOW === undefined && (await lstat(path)).isSymbolicLink()) return { reason: "non-regular" };
    file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (!(await file.stat()).isFile()) return { reason: "non-regular" };
    const bytes = Buffer.alloc(MAX_SCRIPT_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) break;
    }
    if (length === 0) return { reason: "empty" };
    if (length > MAX_SCRIPT_BYTES) return { reason: "oversized" };
    return { source: new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length)) };
  } catch (error) {
    const code = (error as { code?: string }).code;
    return { reason: code === "ELOOP" || code === "EMLINK" || code === "ENXIO" ? "non-regular" : "unreadable" };
  } finally {
    await file?.close();
  }
}
