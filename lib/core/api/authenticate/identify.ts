import { hash, timingSafeEqual } from "node:crypto";
import { ANONYMOUS_CALLER, type Caller, FULL_SCOPE, type ListenerKind } from "../../schema/caller.ts";
import { AGENT_TOKEN_PREFIX } from "../../verbs/tokens/secret.ts";
import type { TokenDefect } from "../../verbs/tokens/verify.ts";

interface RequestCredentials {
  listener: ListenerKind;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  /** The `apikey` query parameter. */
  apikey: string | undefined;
  /** Of the administrator key in force (`credentialDigest`); absent where no key is accepted. */
  adminKey: Buffer | undefined;
  /** Whose agent token this is. */
  agent(token: string): Caller | TokenDefect;
  /** Whose browser it is, by its cookie; asked only when nothing else was shown. */
  session(): Caller | "elsewhere" | undefined;
  /** Whose bearer token this is, in the multi-user edition. */
  user?(token: string): Caller | undefined;
}

const ADMIN: Caller = { tier: "admin", name: "admin", listener: "tcp", scope: FULL_SCOPE };

/**
 * Who is asking, from the listener and the credential shown (spec 000 §5). The first credential found decides:
 * `X-API-Key`, then `Authorization: Bearer`, then `?apikey=`, then a browser's cookie. A cookie that fits nobody counts
 * as nothing shown: the browser sends it without being asked.
 *
 * @returns `invalid`, or what is the matter with an agent token, when a credential was shown that fits nobody; it is
 *   refused even where none is needed; `elsewhere` when a good cookie came with a change that no page of ours sent
 */
export function identify(credentials: RequestCredentials): Caller | "invalid" | "elsewhere" | TokenDefect {
  const { listener, header, apikey, adminKey, agent, session, user } = credentials;
  if (listener !== "tcp") return { ...ADMIN, listener };
  const key = header("x-api-key");
  const shown = key || bearer(header("authorization")) || apikey;
  if (!shown) return session() ?? ANONYMOUS_CALLER;
  if (shown.startsWith(AGENT_TOKEN_PREFIX)) return agent(shown);
  if (adminKey && timingSafeEqual(credentialDigest(shown), adminKey)) return ADMIN;
  return (!key && shown !== apikey && user?.(shown)) || "invalid";
}

function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

/** Compares digests, so that neither content nor length shows in the time it takes. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(credentialDigest(a), credentialDigest(b));
}

/** The SHA-256 digest by which secrets are compared. */
export const credentialDigest = (text: string): Buffer => hash("sha256", text, "buffer");
