import { maskInUrl, maskSecret } from "./mask.ts";
import { isSecretQuery, percentDecoded } from "./names.ts";
import { isReference } from "./reference.ts";
import { containsSecretShape } from "./shapes.ts";

/** The parts of a URL with their separators; joined, they are exactly the original text. */
export interface UrlParts {
  /** `https://`, or a reference with which the URL starts. */
  readonly scheme: string;
  readonly user: string;
  /** Absent if the user information contains no colon. */
  readonly password?: string;
  /** `@` if there is user information. */
  readonly at: "" | "@";
  /** Host and port. */
  readonly host: string;
  readonly path: string;
  /** Parameters of the form `name` or `name=value`; absent if there is no question mark. */
  readonly query?: readonly QueryPart[];
  /** Absent if there is no `#`. */
  readonly fragment?: string;
}

export interface QueryPart {
  readonly name: string;
  /** Absent if there is no equals sign. */
  readonly value?: string;
}

/**
 * Masks a URL part by part, so that scheme, user, host and harmless parameters stay readable.
 *
 * `postgres://app:s3cretpass@db/x` → `postgres://app:••••(10 chars)@db/x`;
 * `https://h/mcp?api_key=0123456789&v=2` → `https://h/mcp?api_key=••••89 (10 chars)&v=2`
 *
 * @param url as configured; text that is not a URL is masked as one value
 * @returns at most four times as long as a URL of four characters or more
 * @see spec 000 §2.9 rules 1, 3 and 4: a secret query parameter is masked in the form of rule 1; a part that is secret
 *   because of its position or form is masked in the form of rule 4
 */
export function maskUrl(url: string): string {
  if (url === "" || isReference(url)) return url;
  const parts = splitUrl(url);
  return parts ? joinUrl(maskUrlParts(parts)) : maskSecret(url);
}

/** Masks the secrets in the parts of a URL. */
export function maskUrlParts(parts: UrlParts): UrlParts {
  const { user, password, query, fragment } = parts;
  return {
    ...parts,
    user: isSecretUser(user, password) ? maskInUrl(user) : user,
    ...(password !== undefined && { password: maskInUrl(password) }),
    host: maskPart(parts.host),
    path: maskPath(parts),
    ...(query && { query: query.map(maskParameter) }),
    ...(fragment !== undefined && { fragment: maskFragment(fragment) }),
  };
}

/** Splits a URL into parts without decoding or repairing anything; undefined for text that is not a URL. */
export function splitUrl(url: string): UrlParts | undefined {
  const [scheme] = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?=\$\{(?:env|keyring):))/i.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const rest = url.slice(scheme.length);
  const { userinfo, after } = splitUserinfo(rest);
  const [, host = "", path = "", query, fragment] = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(after) ?? [];
  const colon = userinfo?.indexOf(":") ?? -1;
  return {
    scheme,
    user: userinfo === undefined ? "" : colon < 0 ? userinfo : userinfo.slice(0, colon),
    ...(userinfo !== undefined && colon >= 0 && { password: userinfo.slice(colon + 1) }),
    at: userinfo === undefined ? "" : "@",
    host,
    path,
    ...(query !== undefined && { query: query.split("&").map(splitParameter) }),
    ...(fragment !== undefined && { fragment }),
  };
}

/** Reverses `splitUrl`: the unchanged parts give the same text again. */
export function joinUrl(parts: UrlParts): string {
  const password = parts.password === undefined ? "" : `:${parts.password}`;
  const query = parts.query ? `?${parts.query.map(joinParameter).join("&")}` : "";
  const fragment = parts.fragment === undefined ? "" : `#${parts.fragment}`;
  return `${parts.scheme}${parts.user}${password}${parts.at}${parts.host}${parts.path}${query}${fragment}`;
}

/**
 * Separates the user information, which ends at the last `@` of the authority. If a password contains an unescaped `/`,
 * `?` or `#`, the apparent authority has no valid port; the user information then ends at the last `@` of the URL, so
 * that no part of the password is shown.
 */
function splitUserinfo(rest: string): { userinfo?: string; after: string } {
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  let at = authority.lastIndexOf("@");
  if (at < 0 && !isHostPort(authority)) at = rest.lastIndexOf("@");
  return at < 0 ? { after: rest } : { userinfo: rest.slice(0, at), after: rest.slice(at + 1) };
}

function isHostPort(text: string): boolean {
  return /^(?:\[[^\]]*\]|[^:]*|\$\{(?:env|keyring):[^{}]*\})(?::(?:\d*|\$\{(?:env|keyring):[^{}]*\}))?$/.test(text);
}

function splitParameter(text: string): QueryPart {
  const equals = text.indexOf("=");
  return equals < 0 ? { name: text } : { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

function joinParameter({ name, value }: QueryPart): string {
  return value === undefined ? name : `${name}=${value}`;
}

function maskParameter({ name, value }: QueryPart): QueryPart {
  const maskedName = maskPart(name);
  if (value === undefined) return { name: maskedName };
  return { name: maskedName, value: isSecretQuery(name) || holdsSecret(value) ? maskSecret(value) : value };
}

/** Hosts of webhooks: the last segment of their path is the credential, although it does not look like one. */
const WEBHOOKS = /(?:^|\.)(?:hooks\.slack\.com|discord\.com|discordapp\.com|webhook\.office\.com)$/i;

function maskPath({ host, path }: UrlParts): string {
  const segments = path.split("/").map(maskPart);
  const last = segments.at(-1)!;
  if (WEBHOOKS.test(host) && last.length >= 16) segments[segments.length - 1] = maskInUrl(last);
  return segments.join("/");
}

function maskFragment(fragment: string): string {
  if (!fragment.includes("=")) return maskPart(fragment);
  return fragment
    .split("&")
    .map((pair) => joinParameter(maskParameter(splitParameter(pair))))
    .join("&");
}

function maskPart(part: string): string {
  return holdsSecret(part) ? maskInUrl(part) : part;
}

/** True if the user part is a token without a password. */
function isSecretUser(user: string, password: string | undefined): boolean {
  return holdsSecret(user) || (password === undefined && user.length >= 16 && /\d/.test(user) && !isReference(user));
}

/**
 * True if the part has the form of a secret or contains a secret name: an encoded URL as a parameter, a `;token=…`
 * after a path.
 */
function holdsSecret(part: string): boolean {
  if (part.length < 4) return false;
  const plain = percentDecoded(part);
  if (containsSecretShape(plain)) return true;
  for (const [, name] of plain.matchAll(/(?<![\w.-])([\w.-]{1,64})=(?!•{4})[^;&\s]/g))
    if (isSecretQuery(name!)) return true;
  return false;
}
