import { hash, timingSafeEqual } from "node:crypto";
import { ANONYMOUS_CALLER, BRIDGE_HEADER, type Caller, FULL_SCOPE, type ListenerKind } from "../../schema/caller.ts";
import { AGENT_TOKEN_PREFIX } from "../../verbs/tokens/secret.ts";
import type { TokenDefect } from "../../verbs/tokens/verify.ts";

interface RequestCredentials {
  listener: ListenerKind;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  /** The `apikey` query parameter. */
  apikey: string | undefined;
  /** The current API key as `comparableSecret`; undefined if no key is accepted. */
  adminKey: Buffer | undefined;
  /** Finds the caller with an agent token. */
  agent(token: string): Caller | TokenDefect;
  /** Finds the caller with a browser's cookie; called only if there is no other credential. */
  session(): Caller | "elsewhere" | undefined;
  /** Finds the user with a bearer token, in the multi-user edition. */
  user?(token: string): Caller | undefined;
}

const ADMIN: Caller = { tier: "admin", name: "admin", listener: "tcp", scope: FULL_SCOPE };

/**
 * Authenticates a request by its listener and its credential (spec 000 §5). The first credential counts, in the order
 * `X-API-Key`, `Authorization: Bearer`, `?apikey=`, browser's cookie. An unknown cookie counts as no credential,
 * because browsers send cookies automatically.
 *
 * @returns `invalid`, or the defect of an agent token, for a credential that is not valid; the request is then
 *   rejected, even if it requires no credential; `elsewhere` for a request with a valid cookie that changes something
 *   but was not sent by a page of the panel
 */
export function identify(credentials: RequestCredentials): Caller | "invalid" | "elsewhere" | TokenDefect {
  const { listener, header, apikey, adminKey, agent, session, user } = credentials;
  const key = header("x-api-key");
  if (listener !== "tcp") {
    if (header(BRIDGE_HEADER) === undefined) return { ...ADMIN, listener };
    if (!key) return { ...ANONYMOUS_CALLER, listener };
  }
  const shown = key || bearer(header("authorization")) || apikey;
  if (!shown) return session() ?? ANONYMOUS_CALLER;
  if (shown.startsWith(AGENT_TOKEN_PREFIX)) return agent(shown);
  if (adminKey && timingSafeEqual(comparableSecret(shown, PRESENTED), adminKey)) return ADMIN;
  return (!key && shown !== apikey && user?.(shown)) || "invalid";
}

function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

/** True if two secrets are equal. The time reveals neither content nor length. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(comparableSecret(a), comparableSecret(b));
}

const COMPARABLE_BYTES = 256;
/** In place of the length of a text that is too long, whose digest is compared. */
const DIGESTED = 0xffff;

/** Filled by each request; a digest of each credential would cost a thirtieth of a call. */
const PRESENTED = Buffer.alloc(COMPARABLE_BYTES);

/**
 * Writes a secret in a form of fixed size, so that the time of a comparison depends neither on the content nor on the
 * length of the secret that is compared with it.
 *
 * @returns `into`: the text, zeros, and the length of the text; of a long text its SHA-256 digest
 */
export function comparableSecret(text: string, into: Buffer = Buffer.alloc(COMPARABLE_BYTES)): Buffer {
  const isShort = text.length * 3 <= COMPARABLE_BYTES - 2;
  into.fill(0);
  const sizeBytes = into.write(isShort ? text : hash("sha256", text));
  into.writeUInt16LE(isShort ? sizeBytes : DIGESTED, COMPARABLE_BYTES - 2);
  return into;
}
