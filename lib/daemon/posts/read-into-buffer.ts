import type { Socket } from "node:net";
import { lazy } from "../../core/base/lazy.ts";

/** Number of bytes read at once, the same as in Node. */
const READ_BYTES = 64 * 1024;

/** One for all sockets: what was read is used before the next read. */
const readBuffer = lazy(() => Buffer.allocUnsafeSlow(READ_BYTES));

/** The members of Node's sockets that their option `onread` sets. */
interface SocketInternals {
  readonly _handle?: { useUserBuffer?(buffer: Buffer): void } | null;
  [symbol: symbol]: unknown;
}

/**
 * Makes an accepted socket read into one buffer. Otherwise Node makes a buffer of 64 KB for each read and passes it
 * through the queue of a stream. Sockets that a program connects have the option `onread` for this; those that a server
 * accepts do not, so the members are set that the option would set.
 *
 * @param received called with the bytes of each read, which are valid during the call; returns false to read no more
 * until `socket.resume()`. The socket emits no event `data` for them.
 * @returns false if the socket has no such members; it emits `data` then
 */
export function readIntoBuffer(socket: Socket, received: (bytes: Buffer) => boolean): boolean {
  const symbols = Object.getOwnPropertySymbols(socket);
  const bufferKey = symbols.find(({ description }) => description === "kBuffer");
  const callbackKey = symbols.find(({ description }) => description === "kBufferCb");
  const internals = socket as Socket & SocketInternals;
  const handle = internals._handle;
  if (!bufferKey || !callbackKey || typeof handle?.useUserBuffer !== "function") return false;
  const buffer = readBuffer();
  internals[bufferKey] = buffer;
  internals[callbackKey] = (count: number) => received(buffer.subarray(0, count));
  handle.useUserBuffer(buffer);
  return true;
}
