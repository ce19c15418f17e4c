import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { acceptsGzip, matchesEtag } from "./answer.ts";

/** The default content policy of responses in a browser: load nothing, send no form, stand in no frame. */
export const STRICT_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * What a page of this program may do beyond that: its own files and questions, nothing inline; icons are data addresses.
 * What is said of every answer (`rest.ts`) holds for it too.
 */
export const PAGE_HEADERS = {
  "Content-Security-Policy": `${STRICT_CONTENT_POLICY}; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'`,
  "Cache-Control": "no-cache",
};

const unpack = promisify(gunzip);

/**
 * Answers text that is kept compressed, unpacked for who does not take it so; a 304 where the reader has it already.
 *
 * @param body gzip
 * @param asked the request's headers
 */
export async function answerCompressed(
  body: Uint8Array,
  type: string,
  asked: Headers,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const tag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const all = { Vary: "Accept-Encoding", ETag: tag, ...headers };
  if (matchesEtag(asked.get("if-none-match") ?? undefined, tag))
    return new Response(null, { status: 304, headers: all });
  const typed = { ...all, "Content-Type": `${type}; charset=utf-8` };
  return acceptsGzip(asked.get("accept-encoding") ?? undefined)
    ? new Response(new Uint8Array(body), { headers: { ...typed, "Content-Encoding": "gzip" } })
    : new Response(new Uint8Array(await unpack(body)), { headers: typed });
}
