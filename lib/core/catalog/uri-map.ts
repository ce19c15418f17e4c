/**
 * Resource URIs and URI templates of many servers in one name space, and back: a pure text prefix.
 *
 * `file:///notes` of the server `git` becomes `via://git/file:///notes`, and `ui://app` becomes `ui://via.git/app`, since
 * hosts of MCP Apps look at the scheme. RFC 6570 copies literals, so a prefix is the one kind of mapping under which the
 * expansion of a mapped template is the mapped expansion, whatever the operator.
 */
export interface UriMap {
  /** Adds one layer, whatever the text looks like: a proxy may stand behind another. */
  map(uri: string): string;
  /** Takes one layer off. @returns undefined for what is not mapped to this server */
  unmap(text: string): string | undefined;
}

/** The mapping of one server. */
export function uriMap(server: string): UriMap {
  const token = serverToken(server);
  const general = `${SCHEME}${token}/`;
  const app = `${APP_HOST}${token}/`;
  return {
    map: (uri) => (isAppUri(uri) ? uri.slice(0, APP.length) + app + uri.slice(APP.length) : general + uri),
    unmap(text) {
      if (text.startsWith(general)) return text.slice(general.length);
      if (!isAppUri(text) || !text.startsWith(app, APP.length)) return undefined;
      return text.slice(0, APP.length) + text.slice(APP.length + app.length);
    },
  };
}

/** A URI as its server writes it. */
export interface OwnedUri {
  readonly server: string;
  readonly uri: string;
}

/** Reads a mapped URI, with scheme and host in any case. @returns undefined for what was not mapped here */
export function unmapUri(text: string): OwnedUri | undefined {
  const found = MAPPED.exec(text);
  if (!found) return undefined;
  const server = serverOfToken(found[1] ?? found[3]!);
  return server === undefined ? undefined : { server, uri: (found[2] ?? "") + text.slice(found[0].length) };
}

/** A server's name as a host: itself where it can be one, else all of its bytes. No two servers share one, in any case. */
export function serverToken(server: string): string {
  return PLAIN.test(server) ? server : ENCODED + base32(Buffer.from(server, "utf8"));
}

function serverOfToken(token: string): string | undefined {
  const lower = token.toLowerCase();
  if (!lower.startsWith(ENCODED)) return PLAIN.test(lower) ? lower : undefined;
  const server = bytesOf(lower.slice(ENCODED.length))?.toString("utf8");
  return server !== undefined && serverToken(server) === lower ? server : undefined;
}

const SCHEME = "via://";
const APP = "ui://";
const APP_HOST = "via.";
const MAPPED = /^(?:via:\/\/([a-z0-9._-]+)\/|(ui:\/\/)via\.([a-z0-9._-]+)\/)/i;
const ENCODED = "x--";
const PLAIN = /^(?!x--)[a-z0-9][a-z0-9._-]*$/;

function isAppUri(text: string): boolean {
  return text.slice(0, APP.length).toLowerCase() === APP;
}

/** RFC 4648 §7, in lower case and without padding. */
const DIGITS = "0123456789abcdefghijklmnopqrstuv";

function base32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(value >>> (bits - 5)) & 31];
    value &= 0xff;
  }
  return bits > 0 ? text + DIGITS[(value << (5 - bits)) & 31] : text;
}

function bytesOf(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const c of text) {
    const digit = DIGITS.indexOf(c);
    if (digit < 0) return undefined;
    value = (value << 5) | digit;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
    value &= 0xff;
  }
  return Buffer.from(bytes);
}
