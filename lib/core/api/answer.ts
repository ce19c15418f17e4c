import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { Context } from "hono";
import { jsonPieces } from "../base/json-pieces.ts";
import { loopShare } from "../base/loop-share.ts";

/** Text is encoded in pieces of about this many characters. */
const CHUNK = 64 * 1024;
/** Smaller bodies are not compressed, because that would not save a network packet. (bytes) */
const MIN_PACKED = 1024;
/**
 * Maximum number of bodies compressed at the same time. The thread pool that does it also writes the database's files.
 */
const MAX_PACKING = 2;
/** The compression level: a quarter of the effort of the default level with nearly the same result. */
const LEVEL = 4;

/**
 * Sends a value as JSON. The text is made in pieces between which other work can run, and is compressed in the thread
 * pool if the client accepts gzip. A response to GET has a weak ETag; if `If-None-Match` contains it, the response is a
 * 304 without a body (RFC 9110 §13.1.2).
 *
 * If the handler set a revision (`showRevision`), the ETag is strong and begins with it: `If-Match` is compared with
 * the revision, `If-None-Match` with the ETag of the complete response.
 */
export async function answerJson(c: Context, value: unknown): Promise<Response> {
  return answerText(c, jsonPieces(value), "application/json");
}

/** Sends text of any type, otherwise like `answerJson`. */
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

/** True if an `If-None-Match` header contains an entity tag, by the weak comparison. */
export function matchesEtag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = tag.replace(/^W\//, "");
  const given: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return given.includes(opaque);
}

/** True if an `Accept-Encoding` header accepts gzip (RFC 9110 §12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(header);
}

/** The bytes of a body in chunks. Copying a body of some megabytes into one buffer would take tens of milliseconds. */
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

/** There is one for the process, because the process has one thread pool. */
const pack = packer();

/**
 * @returns a function that compresses a body; its result is undefined for a short body, and while `MAX_PACKING` other
 *   bodies are being compressed
 */
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
