import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Context } from "hono";
import { jsonPieces } from "../base/json-pieces.ts";
import { loopShare } from "../base/loop-share.ts";

/** Text is made into bytes in pieces of about this many characters. */
const CHUNK = 64 * 1024;
/** Bodies up to this size are sent as they are: packing them saves no packet. (bytes) */
const MIN_PACKED = 1024;
/** Bodies packed at the same time, in the thread pool that also writes the database's files. */
const MAX_PACKING = 2;
/** A quarter of the effort of the default at nearly its result. */
const LEVEL = 4;

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
    if (matchesEtag(c.req.header("if-none-match"), tag)) return c.body(null, 304);
  } else if (revision !== undefined) c.header("ETag", `"${revision}"`);
  c.header("Content-Type", type);
  const packed = acceptsGzip(c.req.header("accept-encoding")) ? await pack(body) : undefined;
  if (packed) c.header("Content-Encoding", "gzip");
  const sent = packed ?? body;
  if (sent.chunks.length === 1) return c.body(sent.chunks[0]!);
  c.header("Content-Length", String(sent.sizeBytes));
  return c.body(bodyStream(sent.chunks));
}

/** Whether an `If-None-Match` names an entity tag, weakly compared. */
export function matchesEtag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = tag.replace(/^W\//, "");
  const given: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return given.includes(opaque);
}

/** Whether an `Accept-Encoding` accepts gzip (RFC 9110 §12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header);
}

/** The bytes of a body in pieces: as one, a body of some megabytes takes tens of milliseconds to copy. */
interface Bytes {
  readonly chunks: Uint8Array<ArrayBuffer>[];
  readonly sizeBytes: number;
}

async function bytesOf(text: Iterable<string>): Promise<{ body: Bytes; mark: string }> {
  const hash = createHash("sha256");
  const chunks: Buffer<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  const pause = loopShare();
  let waiting = "";
  const take = () => {
    const chunk = Buffer.from(waiting);
    hash.update(chunk);
    chunks.push(chunk);
    sizeBytes += chunk.length;
    waiting = "";
  };
  for (const piece of text) {
    waiting += piece;
    if (waiting.length >= CHUNK) take();
    await pause();
  }
  if (waiting !== "" || chunks.length === 0) take();
  return { body: { chunks, sizeBytes }, mark: hash.digest("base64url").slice(0, 22) };
}

function bodyStream(chunks: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pause = loopShare();
  let next = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        await pause();
        controller.enqueue(chunks[next++]!);
        if (next === chunks.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** One for the process, because the process has one thread pool. */
const pack = packer();

/** @returns packs a body; undefined for a short body, and while `MAX_PACKING` others are being packed */
function packer(): (body: Bytes) => Promise<Bytes | undefined> {
  let packing = 0;
  return async ({ chunks, sizeBytes }) => {
    if (sizeBytes < MIN_PACKED || packing >= MAX_PACKING) return undefined;
    packing++;
    try {
      return await gzip(chunks);
    } finally {
      packing--;
    }
  };
}

async function gzip(body: readonly Uint8Array<ArrayBuffer>[]): Promise<Bytes> {
  const chunks: Buffer<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  for await (const chunk of Readable.from(body).pipe(createGzip({ level: LEVEL, chunkSize: CHUNK }))) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
  }
  return { chunks, sizeBytes };
}
