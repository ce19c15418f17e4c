import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { acceptsGzip, matchesEtag } from "./answer.ts";

/**
 * The default Content-Security-Policy of responses: a browser may load nothing, send no form, and not show it in a
 * frame.
 */
export const STRICT_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * The headers of the program's own pages, which may use files and endpoints of the same origin, no inline code, and
 * data URLs for images. The headers of every response (`rest.ts`) apply as well.
 */
export const PAGE_HEADERS = {
  "Content-Security-Policy": `${STRICT_CONTENT_POLICY}; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'`,
  "Cache-Control": "no-cache",
};

const unpack = promisify(gunzip);

/**
 * Sends text that is stored compressed. It is decompressed for clients that do not accept gzip; the response is a 304
 * if the client has the text already.
 *
 * @param body gzip
 * @param asked the headers of the request
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
