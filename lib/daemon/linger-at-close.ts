import type { IncomingMessage } from "node:http";

/** Longest time that the rest of a request is read and dropped after its answer. (ms) */
const LINGER_MS = 30_000;
/** A body of this size or less is on its way as a whole before it can be refused. (bytes) */
const SMALL = 64 * 1024;

/**
 * Lets a client that is still sending read an answer that is given before its request is complete. Node closes a
 * connection after the last answer; the operating system then resets it while more arrives, and the client loses the
 * answer. Here the connection is closed for writing only, until the client has sent the rest.
 */
export function lingerAtClose(req: IncomingMessage): void {
  const { socket } = req;
  if (!mayBeIncomplete(req)) return;
  const close = () => {
    Reflect.deleteProperty(socket, "destroySoon");
    socket.destroySoon();
  };
  let isLingering = false;
  // The HTTP adapter of the REST interface calls it a second time, half a second after the answer.
  socket.destroySoon = () => {
    if (isLingering) return;
    if (req.complete) return close();
    isLingering = true;
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    req.once("end", close);
    // A reader that has stopped would pause it again.
    req.removeAllListeners("data");
    req.resume();
    socket.end();
  };
}

function mayBeIncomplete({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > SMALL;
}
