import { Fault } from "../../base/fault.ts";
import { containsMask } from "./mask.ts";
import { percentDecoded } from "./names.ts";
import { maskServer } from "./server.ts";
import { joinUrl, maskUrlParts, type QueryPart, splitUrl, type UrlParts } from "./url.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Replaces masks in a write request by the stored secrets, where that is safe (spec 000 §2.9 rules 6 and 7).
 *
 * A mask is replaced only if it equals the mask shown for the stored value of the same field: a member of `env`,
 * `headers` or `oauth.extra_params`; `oauth.client_secret`, `private_key`, `client_id` or `redirect_uri`; a query parameter of `url`,
 * if scheme, host and port are unchanged. Any other mask is rejected: it would be stored as text, or send a secret to
 * another host.
 *
 * @param patch as sent; values of any type, including null
 * @returns the patch with the real values
 * @throws Fault echoed_mask that names the field
 */
export function restoreMasked<T extends Json>(stored: Json, patch: T): T {
  const maskedServer = maskServer(stored);
  const reverted = Object.entries(patch).map(([field, value]) => {
    const pair = { stored: stored[field], shown: maskedServer[field] };
    if (field === "env" || field === "headers") return [field, revertMembers(pair, value)];
    if (field === "oauth") return [field, revertOAuth(pair, value)];
    if (field === "url") return [field, revertUrl(pair.stored, value)];
    return [field, value];
  });
  const result = Object.fromEntries(reverted) as T;
  rejectMasked(result);
  return result;
}

/**
 * Rejects a value that contains a mask anywhere: a new server has no stored value to restore (spec 000 §2.9 rule 7).
 *
 * @throws Fault echoed_mask
 */
export function rejectMasked(value: unknown): void {
  const open: { value: unknown; path: string }[] = [{ value, path: "" }];
  for (let place = open.pop(); place; place = open.pop()) {
    if (typeof place.value === "string" && containsMask(place.value))
      throw new Fault("echoed_mask", { field: place.path || "the value" });
    if (typeof place.value !== "object" || place.value === null) continue;
    const inside = Array.isArray(place.value);
    for (const [key, member] of Object.entries(place.value)) {
      if (containsMask(key)) throw new Fault("echoed_mask", { field: `a key of ${place.path || "the value"}` });
      open.push({ value: member, path: inside ? `${place.path}[${key}]` : place.path ? `${place.path}.${key}` : key });
    }
  }
}

interface Own {
  readonly stored: unknown;
  readonly shown: unknown;
}

const OAUTH_FIELDS: readonly string[] = ["client_secret", "private_key", "client_id", "redirect_uri"];

function revertOAuth(pair: Own, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([field, submitted]) => {
    const member = { stored: get(pair.stored, field), shown: get(pair.shown, field) };
    if (field === "extra_params") return [field, revertMembers(member, submitted)];
    return [field, OAUTH_FIELDS.includes(field) ? revertValue(member, submitted) : submitted];
  });
  return Object.fromEntries(entries);
}

function revertMembers(pair: Own, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, submitted]) => [
    key,
    revertValue({ stored: get(pair.stored, key), shown: get(pair.shown, key) }, submitted),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the stored value if the received value is exactly its mask. */
function revertValue({ stored, shown }: Own, value: unknown): unknown {
  return typeof value === "string" && value === shown && containsMask(value) ? stored : value;
}

function revertUrl(stored: unknown, value: unknown): unknown {
  if (typeof stored !== "string" || typeof value !== "string" || !containsMask(value)) return value;
  const from = splitUrl(stored);
  const to = splitUrl(value);
  if (!from?.query || !to?.query || !sameHost(stored, from, value, to)) return value;
  const maskedParts = maskUrlParts(from).query!;
  const query = to.query.map((part, i) =>
    revertParameter(part, i, { from: from.query!, shown: maskedParts, to: to.query! }),
  );
  return joinUrl({ ...to, query });
}

interface Queries {
  readonly from: readonly QueryPart[];
  readonly shown: readonly QueryPart[];
  readonly to: readonly QueryPart[];
}

/** Parameters with the same name are identified by their order, so there must be as many as are stored. */
function revertParameter(part: QueryPart, index: number, { from, shown, to }: Queries): QueryPart {
  const { name, value } = part;
  if (value === undefined || !containsMask(value)) return part;
  const stored = from.flatMap((p, i) => (p.name === name ? [i] : []));
  const sameNamed = to.flatMap((p, i) => (p.name === name ? [i] : []));
  const place = stored[sameNamed.indexOf(index)];
  if (place === undefined || stored.length !== sameNamed.length) return part;
  const mask = shown[place]!.value;
  // A client that builds URLs with a library sends the mask percent-encoded.
  return value === mask || percentDecoded(value.replaceAll("+", " ")) === mask ? from[place]! : part;
}

/**
 * True if two URLs have the same scheme, host and port as understood by the parser of the HTTP client. If there is a
 * reference before the path, its value is not known yet, so the text up to the path must be the same.
 */
function sameHost(stored: string, from: UrlParts, submitted: string, to: UrlParts): boolean {
  const [head, saidHead] = [authority(from), authority(to)];
  // Some parsers treat a backslash as a slash and ignore white space; no valid URL needs either.
  if (/[\\\s]/.test(saidHead)) return false;
  if (head === saidHead) return true;
  if (head.includes("${") || saidHead.includes("${")) return false;
  const [a, b] = [origin(stored), origin(submitted)];
  return a !== undefined && a === b;
}

function authority({ scheme, user, password, at, host }: UrlParts): string {
  return joinUrl({ scheme, user, ...(password !== undefined && { password }), at, host, path: "" });
}

function origin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function get(record: unknown, key: string): unknown {
  return isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
