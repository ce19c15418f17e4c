import { createHash } from "node:crypto";
import { gzip } from "node:zlib";
import type { Context } from "hono";
import { loopShare } from "../base/loop-share.ts";
import { jsonPieces } from "./json-pieces.ts";

/** Text is made into bytes in pieces of about this many characters. */
const CHUNK = 64 * 1024;
/** Bodies up to this size are sent as they are: packing them saves no packet. (bytes) */
const MIN_PACKED = 1024;
/** Bodies packed at the same time, in the thread pool that also writes the database's files. */
const MAX_PACKING = 2;
/** A quarter of the effort of the default at nearly its result. */
const LEVEL = 4;

let packing = 0;

/**
 * Answers a value as JSON. The text is made in slices that leave the event loop free, and packed in the thread pool for
 * whoever accepts gzip. The answer of a GET has a weak ETag, and is a 304 without a body where `If-None-Match` names it
 * (RFC 9110 §13.1.2).
 *
 * Where the handler named a revision (`showRevision`), the ETag is strong and begins with it: what `If-Match` compares
 * is the revision, what `If-None-Match` compares is everything that was answered.
 */
export async function answerJson(c: Context, value: unknown): Promise<Response> {
  return answerText(c, jsonPieces(value), "application/json");
}

/** Answers text of any type like `answerJson`. */
export async function answerText(c: Context, text: Iterable<string>, type: string): Promise<Response> {
  const { body, mark } = await bytesOf(text);
  const revision = c.get("revision") as string | undefined;
  c.header("Vary", "Accept-Encoding");
  if (c.req.method === "GET" || c.req.method === "HEAD") {
    const tag = revision === undefined ? `W/"${mark}"` : `"${revision}.${mark}"`;
    c.header("ETag", tag);
    if (names(c.req.header("if-none-match"), tag)) return c.body(null, 304);
  } else if (revision !== undefined) c.header("ETag", `"${revision}"`);
  c.header("Content-Type", type);
  const packed = takesGzip(c.req.header("accept-encoding")) ? await pack(body) : undefined;
  if (!packed) return c.body(body);
  c.header("Content-Encoding", "gzip");
  return c.body(packed);
}

/** Whether an `If-None-Match` names an entity tag, weakly compared. */
export function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = tag.replace(/^W\//, "");
  const given: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return given.includes(opaque);
}

/** Whether an `Accept-Encoding` accepts gzip (RFC 9110 §12.5.3). */
export function takesGzip(header: string | undefined): boolean {
  return header !== undefined && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header);
}

async function bytesOf(text: Iterable<string>): Promise<{ body: Uint8Array<ArrayBuffer>; mark: string }> {
  const hash = createHash("sha256");
  const chunks: Buffer[] = [];
  const pause = loopShare();
  let waiting = "";
  const take = () => {
    const chunk = Buffer.from(waiting);
    hash.update(chunk);
    chunks.push(chunk);
    waiting = "";
  };
  for (const piece of text) {
    waiting += piece;
    if (waiting.length >= CHUNK) take();
    await pause();
  }
  take();
  return { body: Buffer.concat(chunks), mark: hash.digest("base64url").slice(0, 22) };
}

/** @returns undefined where it is not worth it, or where enough bodies are being packed already */
async function pack(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body.length < MIN_PACKED || packing >= MAX_PACKING) return undefined;
  packing++;
  try {
    return await new Promise((done, fail) =>
      gzip(body, { level: LEVEL, chunkSize: CHUNK }, (error, packed) =>
        error ? fail(error) : done(packed as Uint8Array<ArrayBuffer>),
      ),
    );
  } finally {
    packing--;
  }
}
