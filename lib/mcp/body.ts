import type { IncomingMessage } from "node:http";

/** The whole body of a request; `too large` as soon as that is known, `gone` when the client left in the middle. */
export function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer | "too large" | "gone"> {
  return new Promise((done) => {
    if (Number(req.headers["content-length"] ?? 0) > maxBytes) return done("too large");
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        chunks.length = 0;
        done("too large");
      } else chunks.push(chunk);
    });
    req.on("end", () => done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.on("error", () => done("gone"));
    req.on("close", () => done("gone"));
  });
}
