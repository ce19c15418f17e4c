import type { Http2Session } from "node:http2";

/** Bytes that a stream may send before its reader has taken them. */
export const WINDOW_BYTES = 1024 * 1024;
/** Memory that one connection between replicas may use for what waits. (MB) */
export const SESSION_MEMORY_MB = 256;

const PING_MS = 1000;
/** A replica that does not answer for this time has stopped, or cannot be reached. */
const SILENCE_MS = 3000;

/** Ends a connection between replicas when the other one no longer answers. */
export function endWhenSilent(session: Http2Session): void {
  let heardAt = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - heardAt > SILENCE_MS) {
      session.destroy(new Error(`it has not answered for ${SILENCE_MS / 1000} s`));
      return;
    }
    try {
      session.ping((error) => {
        if (!error) heardAt = performance.now();
      });
    } catch {
      // The session is closing.
    }
  }, PING_MS);
  timer.unref();
  session.once("close", () => clearInterval(timer));
}
