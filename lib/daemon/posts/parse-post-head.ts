import type { IncomingHttpHeaders } from "node:http";

/** The head of a POST in the usual form. */
export interface PostHead {
  /** As received, with the empty line at the end. A client sends the same head again and again. */
  readonly bytes: Buffer;
  /** Path and query as sent. */
  readonly target: string;
  /** By lower-case names. */
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly bodyBytes: number;
}

/** Maximum size of a head in the usual form. (bytes) */
const MAX_POST_HEAD_BYTES = 8 * 1024;
/** Maximum size of a body that is read here. `lingerAtClose` and the budget for bodies concern only larger ones. (bytes) */
const MAX_POST_BODY_BYTES = 64 * 1024;

/**
 * Parses the head of a POST that is in the usual form, which is a small part of HTTP/1.1 that leaves nothing to
 * interpretation: no header twice, no encoding of the body, its length in digits, no spaces but the usual one, only
 * printable ASCII. All parsers agree about where such a request ends (RFC 9112 §6.3, §11.2).
 *
 * @param bytes the complete head, with the empty line at its end
 * @returns undefined for every other head, valid or not: `node:http` decides about it
 */
export function parsePostHead(bytes: Buffer): PostHead | undefined {
  const lines = bytes.toString("latin1", 0, bytes.length - HEAD_END.length).split("\r\n");
  const target = REQUEST_LINE.exec(lines[0]!)?.[1];
  if (target === undefined) return undefined;
  const headers: IncomingHttpHeaders = {};
  for (let i = 1; i < lines.length; i++) {
    const line = HEADER_LINE.exec(lines[i]!);
    if (!line) return undefined;
    const name = line[1]!.toLowerCase();
    if (UNUSUAL.has(name) || Object.hasOwn(headers, name)) return undefined;
    headers[name] = line[2]!;
  }
  const { host, connection, "content-length": length } = headers;
  if (host === undefined || length === undefined || !LENGTH.test(length)) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return undefined;
  const bodyBytes = Number(length);
  if (bodyBytes > MAX_POST_BODY_BYTES) return undefined;
  return { bytes: Buffer.from(bytes), target, headers, bodyBytes };
}

export const HEAD_END = Buffer.from("\r\n\r\n");

const REQUEST_LINE = /^POST (\/[\w./~-]*(?:\?[\w./~=&%+-]*)?) HTTP\/1\.1$/;
const HEADER_LINE = /^([A-Za-z][A-Za-z\d-]*): ([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/;
const LENGTH = /^(?:0|[1-9]\d{0,7})$/;

/**
 * Headers that change how a connection or a message is read, that `node:http` treats in a way of its own, or that only
 * browsers send.
 */
const UNUSUAL = new Set([
  "expect",
  "keep-alive",
  "origin",
  "proxy-connection",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** True if bytes may be the beginning of a head in the usual form whose end has not arrived. */
export function mayBecomePostHead(bytes: Buffer): boolean {
  if (bytes.length > MAX_POST_HEAD_BYTES) return false;
  const text = bytes.toString("latin1");
  const begin = text.slice(0, BEGIN.length);
  return BEGIN.startsWith(begin) && LINES.test(text);
}

const BEGIN = "POST /";
const LINES = /^(?:[\x20-\x7e]|\r\n)*\r?$/;
