import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline as piped } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { createGunzip, createGzip } from "node:zlib";
import type { InferOutput } from "valibot";
import { makeFolder } from "../../core/base/folder.ts";
import type { AuditLog } from "./config.ts";

/** When the file is rotated, and which rotated files are retained (spec 001 §8). */
export type Retention = Readonly<
  Pick<InferOutput<typeof AuditLog>, "max_size_mb" | "max_backups" | "max_age_days" | "compress">
>;

/** The current file of the log, with its rotation. A rotated file is named after the number of its first line. */
export interface TrailFile {
  /**
   * Reads the first line and the complete lines near the end. Removes an incomplete last line, which a kill or a power
   * cut leaves. If the file is empty, the last lines of the newest rotated file are returned.
   */
  ends(): Promise<Ends>;
  /** Appends lines; after a failure, removes the part of them that was written. */
  append(text: string): Promise<void>;
  /** Whether the file is full and must be rotated before the next line. */
  full(): boolean;
  /** Rotates the file; the name of the rotated file contains `seq`, the number of its first line. */
  putAside(seq: number): Promise<void>;
  /** Compresses rotated files; returns those to delete and the oldest one to retain. */
  outlived(now: number): Promise<{ gone: Aside[]; oldest: Aside | undefined }>;
  remove(aside: Aside): Promise<void>;
  close(): Promise<void>;
}

/** The end of an audit log. */
export interface Ends {
  /** First line of the newest file. */
  first: string | undefined;
  last: string[];
  /** Whether the last lines are those of a rotated file, because the newest file is empty. */
  aside: boolean;
  tornBytes: number;
}

/** A rotated file: `audit.log.000000000042`, or the same compressed as `.gz`. */
interface Aside {
  readonly path: string;
  readonly from: number;
  readonly packed: boolean;
}

/** Bytes read from the end of the file; more than are written between two records of the end of the log. */
const TAIL_BYTES = 16 * 1024 * 1024;
const MAX_LINE = 256 * 1024;
/** Longest line that is read (characters); written lines are much shorter. */
const MAX_READ_CHARACTERS = 1024 * 1024;
/** Lines read of a rotated file: more than are written between two records of the end of the log. */
const TAIL_LINES = 50_000;
const DAY_MS = 86_400_000;

/** The rotated files of an audit log, oldest first. */
export async function listAside(path: string): Promise<Aside[]> {
  const name = basename(path);
  const found = await readdir(dirname(path)).catch(() => []);
  return found
    .flatMap((file) => {
      const match = file.startsWith(`${name}.`) && /^(\d{12,})(\.gz)?$/.exec(file.slice(name.length + 1));
      if (!match) return [];
      return [{ path: join(dirname(path), file), from: Number(match[1]), packed: match[2] !== undefined }];
    })
    .filter((one, _, all) => !one.packed || !all.some((other) => other.from === one.from && !other.packed))
    .sort((a, b) => a.from - b.from);
}

/** @param keep returns the current limits; they are read at each rotation */
export function trailFile(path: string, keep: () => Retention): TrailFile {
  let file: FileHandle | undefined;
  let size = 0;
  const opened = async () => {
    if (file) return file;
    makeFolder(dirname(path));
    file = await open(path, "a", 0o600);
    size = (await file.stat()).size;
    return file;
  };
  const close = async () => {
    const was = file;
    file = undefined;
    await was?.close();
  };

  return {
    async ends() {
      await opened();
      const reading = await open(path, "r+");
      const part = async (from: number, length: number) => {
        const { buffer, bytesRead } = await reading.read(Buffer.alloc(length), 0, length, from);
        return buffer.subarray(0, bytesRead);
      };
      try {
        const from = Math.max(0, size - TAIL_BYTES);
        const tail = await part(from, size - from);
        const end = tail.lastIndexOf(0x0a) + 1;
        const tornBytes = tail.length - end;
        if (tornBytes > 0) await reading.truncate(from + end);
        size = from + end;
        const lines = tail.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
        const first = from > 0 ? (await part(0, MAX_LINE)).toString("utf8").split("\n")[0] : lines[0];
        if (lines.length > 0) return { first, last: from > 0 ? lines.slice(1) : lines, aside: false, tornBytes };
        // The program ended after a rotation, before the first line of the new file.
        return { first: undefined, last: await lastLines((await listAside(path)).at(-1)), aside: true, tornBytes };
      } finally {
        await reading.close();
      }
    },
    async append(text) {
      const to = await opened();
      const before = size;
      try {
        await to.appendFile(text);
        size += Buffer.byteLength(text);
      } catch (error) {
        await to.truncate(before).catch(() => undefined);
        await close().catch(() => undefined);
        throw error;
      }
    },
    full: () => size >= keep().max_size_mb * 1024 * 1024,
    async putAside(seq) {
      await file?.datasync();
      await close();
      await rename(path, `${path}.${String(seq).padStart(12, "0")}`);
      size = 0;
    },
    async outlived(now) {
      const { compress, max_backups, max_age_days } = keep();
      if (compress) for (const one of await listAside(path)) if (!one.packed) await pack(one.path);
      const aside = await listAside(path);
      const old = await Promise.all(
        aside.map(async (one) => max_age_days > 0 && now - (await stat(one.path)).mtimeMs > max_age_days * DAY_MS),
      );
      // Deletes only the oldest files: a gap in the middle would look like tampering.
      const young = old.lastIndexOf(true) + 1;
      const keepFrom = Math.max(young, aside.length - max_backups);
      return { gone: aside.slice(0, keepFrom), oldest: aside[keepFrom] };
    },
    remove: async ({ path: doomed }) => rm(doomed, { force: true }),
    async close() {
      await file?.datasync();
      await close();
    },
  };
}

/** Deletes the original only after the compressed file is complete. */
async function pack(path: string): Promise<void> {
  const { atime, mtime } = await stat(path);
  const made = `${path}.tmp`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(made, { mode: 0o600 }));
  const handle = await open(made, "r+");
  try {
    await handle.sync();
    await handle.utimes(atime, mtime);
  } finally {
    await handle.close();
  }
  await rename(made, `${path}.gz`);
  await rm(path);
}

/** Reads the lines of a file. Where it cannot be decompressed or read, it yields one line that fails verification. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  const text = file.endsWith(".gz") ? piped(bytes, createGunzip(), () => undefined) : bytes;
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const part of text as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.write(part)).split("\n");
      rest = lines.pop()!;
      yield* lines;
      if (rest.length > MAX_READ_CHARACTERS) break;
    }
  } catch {
    rest = "unreadable";
  }
  if (rest !== "") yield rest;
}

async function lastLines(aside: Aside | undefined): Promise<string[]> {
  const last: string[] = [];
  if (!aside) return last;
  for await (const line of linesOf(aside.path)) {
    last.push(line);
    if (last.length >= 2 * TAIL_LINES) last.splice(0, TAIL_LINES);
  }
  return last;
}
