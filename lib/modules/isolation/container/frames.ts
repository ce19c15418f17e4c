import { PassThrough, type Readable } from "node:stream";

/** Kind of stream, three zeros, length of what follows (big-endian). */
const HEADER = 8;

/**
 * Takes a container's standard output and error apart, which an engine sends through one connection in frames. What is
 * not read is not taken either: `feed` answers false, as a stream does, until `drained` is told.
 */
interface Frames {
  readonly stdout: Readable;
  readonly stderr: Readable;
  feed(chunk: Buffer): boolean;
  end(): void;
  onDrained(fn: () => void): void;
}

/** @param onStderr told of each part of the standard error, whether it is read or not */
export function frames(onStderr?: (part: Buffer) => void): Frames {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let rest: Buffer = Buffer.alloc(0);
  let left = 0;
  let to = stdout;
  return {
    stdout,
    stderr,
    feed(chunk) {
      let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      rest = Buffer.alloc(0);
      let room = true;
      while (data.length > 0) {
        if (left === 0) {
          if (data.length < HEADER) {
            rest = data;
            break;
          }
          to = data[0] === 2 ? stderr : stdout;
          left = data.readUInt32BE(4);
          data = data.subarray(HEADER);
        }
        const part = data.subarray(0, left);
        left -= part.length;
        data = data.subarray(part.length);
        if (part.length === 0) continue;
        if (to === stderr) onStderr?.(part);
        room = to.write(part) && room;
      }
      return room;
    },
    end() {
      stdout.end();
      stderr.end();
    },
    onDrained(fn) {
      stdout.on("drain", fn);
      stderr.on("drain", fn);
    },
  };
}
