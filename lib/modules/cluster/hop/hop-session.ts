import type { Http2Session } from "node:http2";

/** Bytes that a stream may send before its reader has taken them. */
export const WINDOW_BYTES = 1024 * 1024;
/** Memory that one connection between replicas may use for what waits. (MB) */
export const SESSION_MEMORY_MB = 256;

const PING_MS = 1000;
/** A replica that leaves so many pings without an answer has stopped, or cannot be reached. */
const MAX_UNANSWERED = 3;

/**
 * Ends a connection between replicas when the other one no longer answers for 3 s. Pings are counted instead of the
 * time: if this replica itself stood still, the answers wait to be read.
 */
export function endWhenSilent(session: Http2Session): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered >= MAX_UNANSWERED) {
      session.destroy(new Error(`it has not answered for ${(MAX_UNANSWERED * PING_MS) / 1000} s`));
      return;
    }
    unanswered++;
    try {
      session.ping((error) => {
        if (!error) unanswered = 0;
      });
    } catch {
      // The session is closing.
    }
  }, PING_MS);
  timer.unref();
  session.once("close", () => clearInterval(timer));
}
