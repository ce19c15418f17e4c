import * as fs from "node:fs";
import { promisify } from "node:util";

export interface FileFacts {
  readonly mode: number;
  readonly size: number;
  /** Number of names of the file; 0: it was deleted while open. */
  readonly nlink: number;
}

/** All accesses of the database to the disk. Tests use an implementation that fails on demand. */
export interface Files {
  open(path: string, flags: number, mode: number): number;
  close(fd: number): void;
  read(fd: number, into: Uint8Array, offset: number, length: number, position: number): number;
  write(fd: number, from: Uint8Array, offset: number, length: number, position: number): number;
  truncate(fd: number, sizeBytes: number): void;
  sync(fd: number): void;
  /** Like `sync`, but without blocking the event loop. */
  syncLater(fd: number): Promise<void>;
  facts(fd: number): FileFacts;
  factsOf(path: string): FileFacts;
  access(path: string, mode: number): void;
  remove(path: string): void;
}

const fdatasync = promisify(fs.fdatasync);

export const hostFiles: Files = {
  open: fs.openSync,
  close: fs.closeSync,
  read: (fd, into, offset, length, position) => fs.readSync(fd, into, offset, length, position),
  write: (fd, from, offset, length, position) => fs.writeSync(fd, from, offset, length, position),
  truncate: fs.ftruncateSync,
  sync: fs.fsyncSync,
  syncLater: fdatasync,
  facts: (fd) => fs.fstatSync(fd),
  factsOf: (path) => fs.statSync(path),
  access: fs.accessSync,
  remove: fs.unlinkSync,
};
