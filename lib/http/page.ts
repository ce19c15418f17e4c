import { gunzipSync } from "node:zlib";

/** What an answer may do in a browser where nothing else is said: load nothing, send no form, stand in no frame. */
export const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * What a page of this program may do beyond that: its own files and questions, nothing inline; icons are data addresses.
 * What is said of every answer (`rest.ts`) holds for it too.
 */
export const PAGE_HEADERS = {
  "Content-Security-Policy": `${NOTHING}; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'`,
  "Cache-Control": "no-cache",
};

/**
 * Answers text that is kept compressed, unpacked for who does not take it so.
 *
 * @param body gzip
 */
export function packed(
  body: Uint8Array,
  type: string,
  acceptEncoding: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const all = { Vary: "Accept-Encoding", ...headers, "Content-Type": `${type}; charset=utf-8` };
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$))/.test(acceptEncoding))
    return new Response(new Uint8Array(gunzipSync(body)), { headers: all });
  return new Response(new Uint8Array(body), { headers: { ...all, "Content-Encoding": "gzip" } });
}
