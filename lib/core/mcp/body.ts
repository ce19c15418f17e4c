import type { IncomingMessage } from "node:http";
import type { ByteHold } from "../base/byte-budget.ts";
import { GatheredText } from "../base/gathered-text.ts";

/**
 * Reads on before it refuses: a client that still writes when the connection is closed sees a broken connection instead
 * of the answer. A client that pauses for so long is answered, and any other after this time. (ms)
 */
const DISCARD_PAUSE_MS = 2000;
const DISCARD_TIMEOUT_MS = 30_000;

/**
 * The whole body of a request as text; `too large` or `no room` as soon as that is known, `gone` when the client left in the
 * middle.
 *
 * @param hold what the body's bytes are counted on
 */
export function readBody(
  req: IncomingMessage,
  maxBytes: number,
  hold: ByteHold,
): Promise<{ text: string } | "no UTF-8" | "too large" | "no room" | "gone"> {
  return new Promise((done) => {
    const gathered = new GatheredText({ checked: true });
    let refused: "too large" | "no room" | undefined;
    let pause: NodeJS.Timeout | undefined;
    let whole: NodeJS.Timeout | undefined;
    const refuse = (why: "too large" | "no room") => {
      refused = why;
      gathered.take();
      pause = setTimeout(() => done(why), DISCARD_PAUSE_MS);
      whole = setTimeout(() => done(why), DISCARD_TIMEOUT_MS);
    };
    const stopTimers = () => {
      clearTimeout(pause);
      clearTimeout(whole);
    };
    const declared = Number(req.headers["content-length"] ?? 0);
    if (declared > maxBytes) return done("too large");
    // Taken at once: of many that arrive together some get in, rather than none to its end.
    if (!hold.add(declared)) refuse("no room");
    req.on("data", (chunk: Buffer) => {
      if (refused) return void pause?.refresh();
      const size = gathered.sizeBytes + chunk.length;
      if (size > maxBytes) refuse("too large");
      else if (size > declared && !hold.add(chunk.length)) refuse("no room");
      else gathered.add(chunk);
    });
    req.on("end", () => {
      stopTimers();
      if (refused) return done(refused);
      // The request object lives until its answer is out; nothing of the body stays behind.
      const text = gathered.take();
      done(gathered.isWellFormed ? { text } : "no UTF-8");
    });
    req.on("error", () => done("gone"));
    req.on("close", () => {
      stopTimers();
      done("gone");
    });
  });
}
