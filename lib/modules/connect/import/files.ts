import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { reasonOf } from "../../../core/base/fault.ts";
import type { Machine } from "../../../core/base/machine.ts";
import { CLIENTS } from "../clients.ts";
import { decode, Malformed } from "../document.ts";
import { Fault } from "../faults.ts";

/** Largest configuration that is read. (bytes; reference 1.1) */
export const IMPORT_LIMIT = 10 * 1024 * 1024;

/** A file in which a known client keeps its servers. */
interface ClientFile {
  name: string;
  /** The client's id. */
  format: string;
  path: string;
  exists: boolean;
  os: string;
  description: string;
}

/**
 * The configuration files of the known clients on this machine. No file is opened; the result only says whether it
 * exists.
 */
export async function clientFiles(machine: Machine): Promise<ClientFile[]> {
  const files = CLIENTS.map(async ({ id, name, format, note, paths }): Promise<ClientFile> => {
    const all = paths(machine);
    const there = await Promise.all(all.map(isFile));
    const at = Math.max(0, there.indexOf(true));
    return {
      name,
      format: id,
      path: all[at]!,
      exists: there[at] === true,
      os: machine.platform,
      description: `user-wide configuration, ${format.toUpperCase()}${note === undefined ? "" : `; ${note}`}`,
    };
  });
  return Promise.all(files);
}

/** The client whose configuration file has this path. */
export function clientAt(path: string, machine: Machine): string | undefined {
  return CLIENTS.find(({ paths }) => paths(machine).includes(path))?.id;
}

/** Resolves a path as a person writes it: `~/` is their home folder. @throws Fault invalid_request */
export function absolute(path: string, machine: Machine): string {
  const whole = /^~(?=$|[\\/])/.test(path) ? join(machine.home, path.slice(1)) : path;
  if (isAbsolute(whole) && !whole.includes("\0")) return whole;
  throw new Fault("invalid_request", { reason: `"${path}" is not an absolute path; begin it with / or ~/` });
}

/**
 * Reads a configuration file.
 *
 * @throws Fault no_such_record, file_denied, body_too_large, invalid_request
 */
export async function readConfiguration(path: string): Promise<string> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer indefinitely.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { size, isFile } = await file.stat().then((s) => ({ size: s.size, isFile: s.isFile() }));
      if (!isFile) throw new Fault("invalid_request", { reason: `${path} is not a file` });
      if (size > IMPORT_LIMIT) throw new Fault("body_too_large", { limit: IMPORT_LIMIT });
      return decode(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    throw explained(error, path);
  }
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof Fault) return error;
  if (error instanceof Malformed) return new Fault("invalid_request", { reason: `${path}: ${error.message}` });
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return new Fault("no_such_record", { what: "file", id: path });
  if (code === "EACCES" || code === "EPERM") return new Fault("file_denied", { path });
  return new Fault("invalid_request", { reason: `${path} cannot be read: ${reasonOf(error)}` });
}

const isFile = (path: string) =>
  stat(path).then(
    (it) => it.isFile(),
    () => false,
  );
