import type { Files } from "./files.ts";
import { readAhead } from "./read-ahead.ts";

export interface JoinedFiles extends Files {
  /** Writes the data that is held back, and discards the data that was read ahead. */
  flush(): void;
  /** Number of bytes passed to `write` so far. */
  readonly writtenBytes: number;
}

/** Enough for a transaction of about fifty pages. */
const ROOM_BYTES = 256 * 1024;

/**
 * Combines adjacent writes, because SQLite writes each page of its journal in two pieces, and adjacent reads. Every other
 * call, except a read of another file, first writes the data that is held back, so that only the number of system calls
 * differs. Call `flush()` at the end of each operation. After a delayed write has failed, every further write fails, too.
 */
export function joinedWrites(files: Files): JoinedFiles {
  let room: Buffer | undefined;
  let file = -1;
  let start = 0;
  let length = 0;
  let writtenBytes = 0;
  let failure: { readonly error: unknown } | undefined;
  const ahead = readAhead(files);

  const writeAll = (fd: number, from: Uint8Array, offset: number, size: number, position: number) => {
    let done = 0;
    while (done < size) done += files.write(fd, from, offset + done, size - done, position + done);
  };
  const writeHeld = () => {
    if (failure) throw failure.error;
    if (length === 0) return;
    const size = length;
    length = 0;
    try {
      writeAll(file, room!, 0, size, start);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const flush = () => {
    ahead.drop();
    writeHeld();
  };
  const flushed =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      flush();
      return call(...args);
    };

  return {
    flush,
    get writtenBytes() {
      return writtenBytes;
    },
    open: files.open,
    // The file is closed even if the delayed write fails.
    close(fd) {
      try {
        flush();
      } finally {
        files.close(fd);
      }
    },
    // A checkpoint reads pages from the journal and writes them to the database by turns.
    read(fd, into, offset, size, position) {
      if (fd === file) writeHeld();
      return ahead.read(fd, into, offset, size, position);
    },
    write(fd, from, offset, size, position) {
      ahead.drop(fd);
      if (fd !== file || position !== start + length || length + size > ROOM_BYTES) writeHeld();
      if (failure) throw failure.error;
      writtenBytes += size;
      if (size > ROOM_BYTES) {
        writeAll(fd, from, offset, size, position);
        return size;
      }
      if (length === 0) [file, start] = [fd, position];
      room ??= Buffer.allocUnsafeSlow(ROOM_BYTES);
      room.set(from.subarray(offset, offset + size), length);
      length += size;
      return size;
    },
    truncate: flushed(files.truncate),
    sync: flushed(files.sync),
    syncLater: flushed(files.syncLater),
    facts: flushed(files.facts),
    factsOf: flushed(files.factsOf),
    access: files.access,
    remove: flushed(files.remove),
  };
}
