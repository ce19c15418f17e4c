import { hash } from "node:crypto";
import { cookieScope } from "../../core/api/authenticate/panel-session.ts";
import { isNotCrossOrigin } from "../../core/api/authenticate/same-origin.ts";
import type { App } from "../../core/app.ts";
import type { UserRequest } from "../../core/extension/caller-source.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { userCaller } from "./caller.ts";
import { currentEdition, type Edition } from "./edition.ts";
import { PENDING_MS } from "./pending.ts";
import { liveSession } from "./sessions.ts";

type SessionApp = Pick<App, "boot" | "config" | "store" | "clock" | "part">;

/**
 * The user whose browser sent a request (spec 001 §5). Never on the MCP endpoints: a cookie is not valid for MCP.
 *
 * @returns `elsewhere` if the cookie is valid but a request with side effects was not provably sent by a page of this
 * service
 */
export function userSession(app: SessionApp, { path, proto, ...sent }: UserRequest): Caller | "elsewhere" | undefined {
  const block = currentEdition(app);
  if (!block || path === "/mcp" || path.startsWith("/mcp/")) return undefined;
  const caller = browserUser(app, sent.header("cookie"), proto);
  if (!caller) return undefined;
  const fits = isNotCrossOrigin(sent, block.public_url);
  if (fits) return caller;
  return sent.method === "GET" || sent.method === "HEAD" ? undefined : "elsewhere";
}

/** The user of these cookies, whatever page sent the request. */
export function browserUser(
  app: SessionApp,
  cookies: string | undefined,
  proto: "http" | "https" | undefined,
): Caller | undefined {
  const block = currentEdition(app);
  const shown = block && readCookie(cookies, sessionCookie(app, isSecure(block, proto)));
  const session = shown === undefined ? undefined : liveSession(app, shown);
  const user = session && app.store.users.get(session.userId);
  if (!user) return undefined;
  return userCaller(app.config.current(), user, {
    by: "session",
    session: session.id,
    signedInAt: session.createdAt,
    issuedAt: session.createdAt,
    until: session.expiresAt,
  });
}

/**
 * Whether cookies have the attribute Secure (spec 001 §2.6, §5.3): decided by `public_url` if it is set, otherwise by
 * the request.
 */
export function isSecure({ session_cookie_secure, public_url }: Edition, proto: "http" | "https" | undefined): boolean {
  if (session_cookie_secure !== "auto") return session_cookie_secure === "true";
  return public_url === undefined ? proto === "https" : public_url.startsWith("https:");
}

/**
 * The name of the session cookie. With the prefix `__Host-`, browsers do not let another host, such as a subdomain,
 * overwrite it; this requires Secure. Without it, two proxies on one machine need different names, because cookies
 * ignore ports.
 */
export function sessionCookie(app: Pick<App, "boot" | "part">, secure: boolean): string {
  return secure ? "__Host-proxy_session" : `proxy_session_${cookieScope(app)}`;
}

/** Name of the cookie that binds a sign-in to its browser; one for each sign-in, because a person can begin several. */
export function stateCookie(state: string, secure: boolean): string {
  const mark = hash("sha256", state, "hex").slice(0, 16);
  return `${secure ? "__Host-" : ""}proxy_signin_${mark}`;
}

/**
 * Renders `Set-Cookie`; without a value it deletes the cookie. SameSite=Lax allows it in the redirect from the
 * provider.
 */
export function cookie(name: string, value: string, { secure, ageMs }: { secure: boolean; ageMs: number }): string {
  const age = value === "" ? 0 : Math.floor(ageMs / 1000);
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure ? "; Secure" : ""}`;
}

export const STATE_AGE_MS = PENDING_MS;

/** Reads a cookie's value; undefined if it occurs twice, because one of the two is foreign. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? found[0]!.slice(name.length + 1) || undefined : undefined;
}
