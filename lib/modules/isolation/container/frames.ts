import { PassThrough, type Readable } from "node:stream";

/** Size of a frame header: kind of stream, three zero bytes, length of the payload (big-endian). */
const HEADER = 8;

/**
 * Separates a container's standard output and standard error, which an engine sends in frames on one connection. It
 * applies backpressure: `feed` returns false, as a stream does, until `drained` is called.
 */
interface Frames {
  readonly stdout: Readable;
  readonly stderr: Readable;
  feed(chunk: Buffer): boolean;
  end(): void;
  onDrained(fn: () => void): void;
}

/** @param onStderr called with each part of the standard error, whether it is read or not */
export function frames(onStderr?: (part: Buffer) => void): Frames {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let rest: Buffer = Buffer.alloc(0);
  let bytesLeft = 0;
  let to = stdout;
  return {
    stdout,
    stderr,
    feed(chunk) {
      let data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      rest = Buffer.alloc(0);
      let room = true;
      while (data.length > 0) {
        if (bytesLeft === 0) {
          if (data.length < HEADER) {
            rest = data;
            break;
          }
          to = data[0] === 2 ? stderr : stdout;
          bytesLeft = data.readUInt32BE(4);
          data = data.subarray(HEADER);
        }
        const part = data.subarray(0, bytesLeft);
        bytesLeft -= part.length;
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
