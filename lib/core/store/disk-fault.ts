import type { DatabaseSync } from "../../sqlite/types.ts";
import { Fault, reasonOf } from "../base/fault.ts";

const PERM = 3;
const NOMEM = 7;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const OF_THE_DISK = [PERM, NOMEM, READONLY, IOERR, FULL, CANTOPEN];
const OF_THE_FILE = [CORRUPT, NOTADB];

export type DiskFault = Fault<"disk_failed"> | Fault<"database_damaged">;

/** True if the disk failed or the file is damaged. */
export const isDiskFault = (error: unknown): error is DiskFault =>
  error instanceof Fault && (error.code === "disk_failed" || error.code === "database_damaged");

export const isDamageFault = (error: unknown): boolean => error instanceof Fault && error.code === "database_damaged";

/** Converts an error of the disk or the file into a fault that names both; `undefined` for any other error. */
export function diskFault(error: unknown, file: string, db?: DatabaseSync): DiskFault | undefined {
  if (error instanceof Fault) return isDiskFault(error) ? error : undefined;
  if (isDamage(error)) return new Fault("database_damaged", { file, reason: reasonOf(error) }, { cause: error });
  const code = primaryCode(error);
  const fromSystem = code === undefined && (error as NodeJS.ErrnoException | undefined)?.syscall !== undefined;
  if (!fromSystem && (code === undefined || !OF_THE_DISK.includes(code))) return undefined;
  const failure = fromSystem ? error : db?.diskFailure;
  const reason = failure ? `${file}: ${reasonOf(failure)}` : `${file}: ${reasonOf(error)}`;
  return new Fault("disk_failed", { reason }, { cause: error });
}

/** True if the error means that the file is damaged and must be replaced. */
export function isDamage(error: unknown): boolean {
  return OF_THE_FILE.includes(primaryCode(error) ?? -1);
}

/** Returns SQLite's primary error code. `node:sqlite` gives the extended code, whose low byte is the primary one. */
function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" ? code & 255 : undefined;
}
