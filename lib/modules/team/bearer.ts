import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { type App, part } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { parseJson } from "../../core/base/parse-json.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { requireEdition } from "./begin.ts";
import { userCaller } from "./caller.ts";
import { bearerLifeMs, sessionLifeMs } from "./edition.ts";

/**
 * Bearer tokens of users for REST: JWTs, HS256 with a key of this installation (reference 12.2). They are verified
 * synchronously in every request, and only in the one form in which they are issued: the header must equal this text,
 * and its `alg` is never evaluated.
 */
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");
const MAX_TOKEN_CHARACTERS = 4096;
const KEY = "user_bearer_key";

/** The signing key as it was last read from the store. */
const signingKey = part<{ key: Buffer | undefined }>("bearerSigningKey", ({ store }) => ({ key: readKey(store) }));

function readKey({ meta }: App["store"]): Buffer | undefined {
  const found = meta.get(KEY);
  return typeof found === "string" ? Buffer.from(found, "base64") : undefined;
}

/** Makes the key. If another replica was first, its key counts. */
async function makeKey(app: App): Promise<Buffer> {
  const made = randomBytes(32).toString("base64");
  await app.store.meta.change(KEY, (found) => (typeof found === "string" ? undefined : made));
  const key = readKey(app.store)!;
  app.part(signingKey).key = key;
  return key;
}

/** Whether a token has the signature of this installation. */
function isSigned({ store, part }: Pick<App, "store" | "part">, token: string): boolean {
  const end = token.lastIndexOf(".");
  const isBy = (key: Buffer | undefined) => key && same(token.slice(end + 1), signature(key, token.slice(0, end)));
  const cached = part(signingKey);
  if (isBy(cached.key)) return true;
  // Another replica may have made the key in the meantime.
  const stored = readKey(store);
  if (!stored || cached.key?.equals(stored)) return false;
  cached.key = stored;
  return isBy(stored) === true;
}

/** Whether a credential has the form of a bearer token. */
export const isBearer = (shown: string) => shown.startsWith("eyJ") && shown.split(".").length === 3;

/**
 * Issues a bearer token to a signed-in user. A token that is made with another token must not outlive the sign-in by
 * more than one lifetime, so that a chain of tokens ends.
 */
export async function issueBearer(app: App, caller: Caller): Promise<{ token: string; expires_at: number }> {
  const edition = requireEdition(app);
  const user = app.store.users.get(caller.user!.id)!;
  const now = app.clock.now();
  const { signedInAt } = caller.user!;
  const until = Math.min(now + bearerLifeMs(edition), signedInAt + sessionLifeMs(edition) + bearerLifeMs(edition));
  const claims = {
    sub: user.id,
    iat: Math.floor(now / 1000),
    exp: Math.floor(until / 1000),
    jti: randomUUID(),
    auth_time: Math.floor(signedInAt / 1000),
    // In milliseconds, so that a token issued in the second in which a user was disabled is distinguished.
    issued_ms: now,
    email: user.email,
    display_name: user.displayName ?? "",
    role: caller.tier === "admin" ? "admin" : "user",
    provider: edition.oauth.provider,
  };
  const body = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  const key = app.part(signingKey).key ?? (await makeKey(app));
  return { token: `${body}.${signature(key, body)}`, expires_at: claims.exp * 1000 };
}

/** The caller of a bearer token; undefined for an invalid one. Role and servers are the current ones. */
export function bearerCaller(app: Pick<App, "store" | "config" | "clock" | "part">, token: string): Caller | undefined {
  if (token.length > MAX_TOKEN_CHARACTERS || !token.startsWith(`${HEADER}.`)) return undefined;
  if (!isSigned(app, token)) return undefined;
  const claims = claimsOf(token.slice(HEADER.length + 1, token.lastIndexOf(".")));
  const { sub, exp, auth_time, issued_ms } = claims;
  if (typeof sub !== "string" || typeof exp !== "number" || typeof issued_ms !== "number") return undefined;
  if (typeof auth_time !== "number" || app.clock.now() >= exp * 1000) return undefined;
  const user = app.store.users.get(sub);
  if (!user) return undefined;
  return userCaller(app.config.current(), user, {
    by: "bearer",
    signedInAt: auth_time * 1000,
    issuedAt: issued_ms,
    until: exp * 1000,
  });
}

const signature = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest("base64url");

function same(shown: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function claimsOf(part: string): Record<string, unknown> {
  try {
    const claims = parseJson(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(claims) ? claims : {};
  } catch {
    return {};
  }
}
