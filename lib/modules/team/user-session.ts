import { hash } from "node:crypto";
import { isNotCrossOrigin } from "../../core/api/authenticate/same-origin.ts";
import type { App } from "../../core/app.ts";
import { parseHost } from "../../core/base/host-port.ts";
import type { UserRequest } from "../../core/extension/caller-source.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { userCaller } from "./caller.ts";
import { type Edition, edition } from "./edition.ts";
import { PENDING_MS } from "./pending.ts";
import { liveSession } from "./sessions.ts";

type SessionApp = Pick<App, "boot" | "config" | "store" | "clock">;

/**
 * The user whose browser sent a request (spec 001 §5). Never on the MCP endpoints: a cookie is no MCP credential.
 *
 * @returns `elsewhere` when the cookie is good but nothing says that a page of ours sent what changes something
 */
export function userSession(app: SessionApp, { path, proto, ...sent }: UserRequest): Caller | "elsewhere" | undefined {
  const block = edition(app);
  if (!block || path === "/mcp" || path.startsWith("/mcp/")) return undefined;
  const caller = browserUser(app, sent.header("cookie"), proto);
  if (!caller) return undefined;
  const fits = isNotCrossOrigin(sent, block.public_url);
  if (fits) return caller;
  return sent.method === "GET" || sent.method === "HEAD" ? undefined : "elsewhere";
}

/** Whose browser holds these cookies, whatever page sent them. */
export function browserUser(
  app: SessionApp,
  cookies: string | undefined,
  proto: "http" | "https" | undefined,
): Caller | undefined {
  const block = edition(app);
  const shown = block && readCookie(cookies, sessionCookie(app.boot, isSecure(block, proto)));
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

/** Whether cookies carry the mark Secure (spec 001 §2.6, §5.3); by `public_url` where there is one, else by the request. */
export function isSecure({ session_cookie_secure, public_url }: Edition, proto: "http" | "https" | undefined): boolean {
  if (session_cookie_secure !== "auto") return session_cookie_secure === "true";
  return public_url === undefined ? proto === "https" : public_url.startsWith("https:");
}

/**
 * The session cookie's name. With `__Host-` browsers let no other host, subdomains included, put one in its place; such
 * a name needs the mark Secure. Without it two proxies on one machine need two names, since cookies know no ports.
 */
export function sessionCookie({ listenAddr }: Pick<App["boot"], "listenAddr">, secure: boolean): string {
  return secure ? "__Host-proxy_session" : `proxy_session_${parseHost(listenAddr)?.port ?? 0}`;
}

/** The cookie that ties a sign-in to the browser that began it; one for each, since people begin several. */
export function stateCookie(state: string, secure: boolean): string {
  const mark = hash("sha256", state, "hex").slice(0, 16);
  return `${secure ? "__Host-" : ""}proxy_signin_${mark}`;
}

/** `Set-Cookie`; with no value it takes the cookie away. SameSite=Lax lets the provider's answer bring it back. */
export function cookie(name: string, value: string, { secure, ageMs }: { secure: boolean; ageMs: number }): string {
  const age = value === "" ? 0 : Math.floor(ageMs / 1000);
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure ? "; Secure" : ""}`;
}

export const STATE_AGE_MS = PENDING_MS;

/** A cookie's value; none when it is there twice, since one of the two is not ours. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  return found.length === 1 ? found[0]!.slice(name.length + 1) || undefined : undefined;
}
