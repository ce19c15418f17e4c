import type { Files } from "./files.ts";

/** A copy of the journal into the database reads about 15 pages at once. */
const ROOM_BYTES = 64 * 1024;
/** SQLite's journal has so many bytes in front of each page. */
const MAX_GAP_BYTES = 24;
/** Number of consecutive adjacent reads after which the next read fetches `ROOM_BYTES`. */
const FOLLOWING_READS = 2;

export interface ReadAhead {
  read: Files["read"];
  /** Forgets what was read ahead of this file, or of any. */
  drop(fd?: number): void;
}

/**
 * Reads a file ahead while its reads are adjacent, because SQLite reads each page with a separate system call. Call `drop`
 * before each write to the file and at the end of each operation.
 */
export function readAhead(files: Files): ReadAhead {
  let room: Buffer | undefined;
  let file = -1;
  let start = 0;
  let length = 0;
  /** Where the last read of `file` ended, and how many reads followed each other. */
  let end = -1;
  let following = 0;

  const holds = (from: number, to: number) => from >= start && to <= start + length;
  const fill = (fd: number, position: number) => {
    room ??= Buffer.allocUnsafeSlow(ROOM_BYTES);
    start = position;
    length = 0;
    try {
      length = files.read(fd, room, 0, ROOM_BYTES, position);
    } catch {
      // The caller's own read follows, and throws if the page itself cannot be read.
    }
  };

  return {
    read(fd, into, offset, size, position) {
      const gap = position - end;
      const follows = fd === file && gap >= 0 && gap <= MAX_GAP_BYTES;
      if (!follows) length = 0;
      following = follows ? following + 1 : 0;
      file = fd;
      end = position + size;
      if (following >= FOLLOWING_READS && size < ROOM_BYTES && !holds(position, end)) fill(fd, position);
      if (!holds(position, end)) return files.read(fd, into, offset, size, position);
      into.set(room!.subarray(position - start, end - start), offset);
      return size;
    },
    drop(fd = file) {
      if (fd !== file) return;
      file = -1;
      length = 0;
    },
  };
}
