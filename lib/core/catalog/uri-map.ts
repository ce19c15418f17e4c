/**
 * Maps resource URIs and URI templates of many servers into one name space, and back, by a prefix.
 *
 * `file:///notes` of the server `git` becomes `via://git/file:///notes`. `ui://app` becomes `ui://via.git/app`, because
 * hosts of MCP Apps check the scheme. Only a prefix keeps templates correct for every operator: an expansion of a
 * mapped template is the mapped expansion, because literals are copied (RFC 6570).
 */
export interface UriMap {
  /** Adds the prefix, also to a URI that has one already: another proxy may be the server. */
  map(uri: string): string;
  /** Removes the prefix. @returns undefined if the text does not have the prefix of this server */
  unmap(text: string): string | undefined;
}

/** Returns the mapping of one server. */
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

/** False if no server's `unmap` changes a text. It is cheap, because it is asked for every text in the arguments of calls. */
export function mayBeMappedUri(text: string): boolean {
  return text.startsWith(SCHEME) || isAppUri(text);
}

/** A URI as its server writes it. */
export interface OwnedUri {
  readonly server: string;
  readonly uri: string;
}

/**
 * Splits a mapped URI; scheme and host may be in any letter case. @returns undefined if the text is not a mapped URI
 */
export function unmapUri(text: string): OwnedUri | undefined {
  const found = MAPPED.exec(text);
  if (!found) return undefined;
  const server = serverOfToken(found[1] ?? found[3]!);
  return server === undefined ? undefined : { server, uri: (found[2] ?? "") + text.slice(found[0].length) };
}

/**
 * Returns the name of a server in the form of a host: unchanged if possible, otherwise all its bytes encoded. No two
 * servers have the same one, even without regard to letter case.
 */
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
  // Nearly every text ends the check here, before a copy is made of its beginning.
  const first = text.charCodeAt(0);
  if (first !== 0x75 && first !== 0x55) return false;
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
