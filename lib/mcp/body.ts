import type { IncomingMessage } from "node:http";
import type { Hold } from "../base/byte-budget.ts";

/**
 * The whole body of a request; `too large` or `no room` as soon as that is known, `gone` when the client left in the
 * middle.
 *
 * @param hold what the body's bytes are counted on
 */
export function readBody(
  req: IncomingMessage,
  maxBytes: number,
  hold: Hold,
): Promise<Buffer | "too large" | "no room" | "gone"> {
  return new Promise((done) => {
    const declared = Number(req.headers["content-length"] ?? 0);
    if (declared > maxBytes) return done("too large");
    if (!hold.admits(declared)) return done("no room");
    let chunks: Buffer[] = [];
    let size = 0;
    let refused = false;
    const refuse = (why: "too large" | "no room") => {
      refused = true;
      chunks = [];
      done(why);
    };
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (refused) return;
      if (size > maxBytes) refuse("too large");
      else if (!hold.add(chunk.length)) refuse("no room");
      else chunks.push(chunk);
    });
    req.on("end", () => {
      if (refused) return;
      done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
      // The request object lives until its answer is out.
      chunks = [];
    });
    req.on("error", () => done("gone"));
    req.on("close", () => done("gone"));
  });
}
