import type { IncomingMessage } from "node:http";
import type { ByteHold } from "../base/byte-budget.ts";
import { GatheredText } from "../base/gathered-text.ts";
import { nextLoopTurn } from "../base/loop-share.ts";

/** A body is read in pieces of this size, one in each turn of the event loop; a smaller one at once. (bytes) */
const PIECE_BYTES = 256 * 1024;

/**
 * The whole body of a request as text; `too large` or `no room` as soon as that is known, `gone` when the client left in the
 * middle. The rest of a body that is refused is read and dropped.
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
    let isRefused = false;
    let unpaused = 0;
    const refuse = (why: "too large" | "no room") => {
      isRefused = true;
      gathered.take();
      done(why);
    };
    const declared = Number(req.headers["content-length"] ?? 0);
    if (declared > maxBytes) refuse("too large");
    // Taken at once: of many that arrive together some get in, rather than none to its end.
    else if (!hold.add(declared)) refuse("no room");
    req.on("data", (chunk: Buffer) => {
      unpaused += chunk.length;
      if (unpaused >= PIECE_BYTES) {
        unpaused = 0;
        req.pause();
        void nextLoopTurn().then(() => req.resume());
      }
      if (isRefused) return;
      const size = gathered.sizeBytes + chunk.length;
      if (size > maxBytes) refuse("too large");
      else if (size > declared && !hold.add(chunk.length)) refuse("no room");
      else gathered.add(chunk);
    });
    req.on("end", () => {
      if (isRefused) return;
      // The request object lives until its answer is out; nothing of the body stays behind.
      const text = gathered.take();
      done(gathered.isWellFormed ? { text } : "no UTF-8");
    });
    req.on("error", () => done("gone"));
    req.on("close", () => done("gone"));
  });
}
