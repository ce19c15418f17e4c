import type { IncomingMessage } from "node:http";
import type { ByteHold } from "../base/byte-budget.ts";
import { GatheredText } from "../base/gathered-text.ts";
import { nextLoopTurn } from "../base/loop-share.ts";

/**
 * A body is decoded in pieces of this size, one per turn of the event loop; a smaller body is decoded at once. (bytes)
 */
const PIECE_BYTES = 256 * 1024;

/**
 * Reads the body of a request as text. Returns `too large` or `no room` as soon as that is known, and `gone` if the
 * client disconnected. The rest of a rejected body is read and dropped.
 *
 * @param hold the account on which the bytes are counted
 */
export function readMessageBody(
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
    // The declared size is counted at once. If it were counted as the bytes arrive, many concurrent requests might all
    // fail midway.
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
      // The request object lives until the response is sent, so it must not keep the body.
      const text = gathered.take();
      done(gathered.isWellFormed ? { text } : "no UTF-8");
    });
    const gone = () => done("gone");
    req.on("error", gone);
    req.on("close", gone);
  });
}
