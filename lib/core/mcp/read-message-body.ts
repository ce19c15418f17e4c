import { isUtf8 } from "node:buffer";
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
    // Most bodies arrive in one chunk, which needs no object to gather it.
    let only: Buffer | undefined;
    let gathered: GatheredText | undefined;
    let sizeBytes = 0;
    let isRefused = false;
    let unpaused = 0;
    const refuse = (why: "too large" | "no room") => {
      isRefused = true;
      only = undefined;
      gathered = undefined;
      done(why);
    };
    const gather = (chunk: Buffer) => {
      if (!only && !gathered) only = chunk;
      else {
        gathered ??= new GatheredText({ checked: true });
        if (only) gathered.add(only);
        only = undefined;
        gathered.add(chunk);
      }
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
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) refuse("too large");
      else if (sizeBytes > declared && !hold.add(chunk.length)) refuse("no room");
      else gather(chunk);
    });
    req.on("end", () => {
      if (isRefused) return;
      // The request object lives until the response is sent, so it must not keep the body.
      const text = gathered ? gathered.take() : (only?.toString("utf8") ?? "");
      const isWellFormed = gathered ? gathered.isWellFormed : !only || isUtf8(only);
      only = undefined;
      gathered = undefined;
      done(isWellFormed ? { text } : "no UTF-8");
    });
    const gone = () => done("gone");
    req.on("error", gone);
    req.on("close", gone);
  });
}
