import { hash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type App, part } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { parseHost } from "../../base/host-port.ts";
import { type Caller, FULL_SCOPE } from "../../schema/caller.ts";
import type { SignInRow } from "../../schema/sign-in.ts";
import { sameSecret } from "./identify.ts";
import { type BrowserRequest, isSameOrigin } from "./same-origin.ts";

/** The members of the App that browser sessions need. */
type PanelSessionApp = Pick<App, "boot" | "store" | "clock" | "part">;

/** Idle time-out and longest life of a browser session. (ms) */
const IDLE_MS = 3 * 24 * 3_600_000;
const LIFE_MS = 30 * 24 * 3_600_000;
/** Shortest interval between two writes of the last use. (ms) */
const USE_MS = 10 * 60_000;
/** Maximum number of browser sessions; above it the least recently used one is signed out. */
const MAX_SESSIONS = 50;
/** How long a link of `proxy ui` is valid. (ms) */
export const SIGN_IN_CODE_TIMEOUT_MS = 60_000;
const MAX_CODES = 20;

/** The subject of the administrator's sign-ins. */
const ADMIN_SUBJECT = "admin";

/** One-time codes by hash, with their expiry. They are lost when the process ends. */
const codes = part("signInCodes", () => new LRUCache<string, number>({ max: MAX_CODES }));

const digest = (text: string) => hash("sha256", text, "hex");
const secret = () => randomBytes(32).toString("base64url");

/** Makes a one-time code that signs a browser in within a minute; `proxy ui` puts it in the fragment of its link. */
export function issueSignInCode(app: PanelSessionApp): { code: string; expiresAt: number } {
  const now = app.clock.now();
  const code = secret();
  openCodes(app, now).set(digest(code), now + SIGN_IN_CODE_TIMEOUT_MS);
  return { code, expiresAt: now + SIGN_IN_CODE_TIMEOUT_MS };
}

function openCodes(app: PanelSessionApp, now: number): LRUCache<string, number> {
  const open = app.part(codes);
  for (const [key, until] of [...open]) if (now >= until) open.delete(key);
  return open;
}

/**
 * Exchanges the API key, or a one-time code, for a browser session.
 *
 * @returns the secret for the cookie; it is not stored
 * @throws Fault sign_in_refused
 */
export async function signInBrowser(
  app: PanelSessionApp,
  shown: { key: string } | { code: string },
): Promise<{ secret: string; expiresAt: number }> {
  const { boot, clock } = app;
  if ("key" in shown) {
    if (boot.apiKey === "" || !sameSecret(shown.key, boot.apiKey)) throw new Fault("sign_in_refused", { what: "key" });
  } else if (!openCodes(app, clock.now()).delete(digest(shown.code)))
    throw new Fault("sign_in_refused", { what: "code" });
  return openPanelSession(app, ADMIN_SUBJECT, boot.apiKey);
}

/**
 * Starts a browser session of `subject`. The session ends when `credential` changes.
 *
 * @returns the secret for the cookie
 */
async function openPanelSession(
  { store, clock }: PanelSessionApp,
  subject: string,
  credential: string,
): Promise<{ secret: string; expiresAt: number }> {
  const now = clock.now();
  const made = secret();
  const expiresAt = now + LIFE_MS;
  await makeRoom(store, now);
  const row = { hash: digest(made), subject, credential: digest(credential), createdAt: now, usedAt: now, expiresAt };
  await store.signIns.change(row.hash, () => row);
  return { secret: made, expiresAt };
}

async function makeRoom(store: App["store"], now: number): Promise<void> {
  const rows = store.signIns.all().sort((a, b) => b.usedAt - a.usedAt);
  const over = rows.filter((row, i) => i >= MAX_SESSIONS - 1 || ended(row, now));
  if (over.length > 0) await store.signIns.remove(over.map((row) => row.hash));
}

const ended = ({ usedAt, expiresAt }: SignInRow, now: number) => now >= expiresAt || now - usedAt >= IDLE_MS;

/** Ends the session with this cookie, if there is one. */
export async function signOutBrowser({ store, boot }: PanelSessionApp, cookie: string | undefined): Promise<void> {
  const shown = cookieValue(cookie, panelCookieName(boot));
  if (shown && store.signIns.get(digest(shown))) await store.signIns.remove([digest(shown)]);
}

/**
 * Returns the caller with a browser's cookie, but only for requests of the panel's pages. Cookies never count at the
 * MCP endpoints (spec 001 §5): otherwise any web page that makes the browser send a request could call tools.
 */
export function panelSessionCaller(
  app: PanelSessionApp,
  { path, ...sent }: BrowserRequest & { path: string },
): Caller | undefined {
  if (path === "/mcp" || path.startsWith("/mcp/")) return undefined;
  const shown = cookieValue(sent.header("cookie"), panelCookieName(app.boot));
  if (!shown || !isSameOrigin(sent)) return undefined;
  const row = liveSession(app, digest(shown));
  return row && callerOf(app, row);
}

/** Returns the session with this hash if it is still valid, and records its use. */
function liveSession({ store, clock }: PanelSessionApp, hashed: string): SignInRow | undefined {
  const row = store.signIns.get(hashed);
  const now = clock.now();
  if (!row || ended(row, now)) return undefined;
  // If this write is lost, no harm is done.
  if (now - row.usedAt >= USE_MS)
    store.signIns.change(hashed, (current) => current && { ...current, usedAt: now }).catch(() => undefined);
  return row;
}

/** Returns the caller of a session, if the credential that was exchanged for it is still valid. */
function callerOf({ boot }: PanelSessionApp, { hash, subject, credential }: SignInRow): Caller | undefined {
  if (subject !== ADMIN_SUBJECT || boot.apiKey === "" || credential !== digest(boot.apiKey)) return undefined;
  return { tier: "admin", name: "admin", listener: "tcp", scope: FULL_SCOPE, signIn: hash };
}

/**
 * Returns the name of the cookie. It contains the port, because cookies do not distinguish ports and several proxies
 * may run on one machine.
 */
export function panelCookieName({ listenAddr }: Pick<App["boot"], "listenAddr">): string {
  return `proxy_panel_${parseHost(listenAddr)?.port ?? 0}`;
}

/** Returns the `Set-Cookie` header for a new session; without a secret it deletes the cookie. */
export function panelCookie(
  boot: Pick<App["boot"], "listenAddr">,
  { secret = "", secure }: { secret?: string; secure: boolean },
): string {
  const age = secret === "" ? 0 : LIFE_MS / 1000;
  const rest = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? "; Secure" : ""}`;
  return `${panelCookieName(boot)}=${secret}; ${rest}`;
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name) return value || undefined;
  }
  return undefined;
}
