import { hash, randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { parseHost } from "../../base/host-port.ts";
import { replicaSharing } from "../../extension/replica-sharing.ts";
import { shortLivedValues } from "../../extension/short-lived-values.ts";
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

/** The subject of the administrator's sign-ins; those with a passkey have its id after a slash. */
const ADMIN_SUBJECT = "admin";
const passkeySubject = (passkey: string) => `${ADMIN_SUBJECT}/${passkey}`;

/** One-time codes by hash. */
const CODES = { name: "panel sign-in code", max: MAX_CODES };

const digest = (text: string) => hash("sha256", text, "hex");
const secret = () => randomBytes(32).toString("base64url");

/** Makes a one-time code that signs a browser in within a minute; `proxy ui` puts it in the fragment of its link. */
export async function issueSignInCode(app: PanelSessionApp): Promise<{ code: string; expiresAt: number }> {
  const code = secret();
  const expiresAt = app.clock.now() + SIGN_IN_CODE_TIMEOUT_MS;
  await app.part(shortLivedValues)(CODES).put(digest(code), true, { lifetimeMs: SIGN_IN_CODE_TIMEOUT_MS });
  return { code, expiresAt };
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
  const { boot } = app;
  if ("key" in shown) {
    if (boot.apiKey === "" || !sameSecret(shown.key, boot.apiKey)) throw new Fault("sign_in_refused", { what: "key" });
  } else if (!(await app.part(shortLivedValues)(CODES).take(digest(shown.code))))
    throw new Fault("sign_in_refused", { what: "code" });
  return openPanelSession(app, ADMIN_SUBJECT, boot.apiKey);
}

/**
 * Starts a browser session of the administrator, who proved to have a passkey.
 *
 * @param passkey id of the passkey
 * @returns the secret for the cookie
 */
export function openPasskeySession(
  app: PanelSessionApp,
  passkey: string,
): Promise<{ secret: string; expiresAt: number }> {
  return openPanelSession(app, passkeySubject(passkey), app.boot.apiKey);
}

/** Ends the sessions that began with a passkey. */
export async function endPasskeySessions({ store }: PanelSessionApp, passkey: string): Promise<void> {
  const rows = store.signIns.all().filter(({ subject }) => subject === passkeySubject(passkey));
  if (rows.length > 0) await store.signIns.remove(rows.map((row) => row.hash));
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
export async function signOutBrowser(app: PanelSessionApp, cookie: string | undefined): Promise<void> {
  const { store } = app;
  const shown = cookieValue(cookie, panelCookieName(app));
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
  const shown = cookieValue(sent.header("cookie"), panelCookieName(app));
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
  const isAdmin = subject === ADMIN_SUBJECT || subject.startsWith(passkeySubject(""));
  if (!isAdmin || boot.apiKey === "" || credential !== digest(boot.apiKey)) return undefined;
  return { tier: "admin", name: "admin", listener: "tcp", scope: FULL_SCOPE, signIn: hash };
}

/**
 * Returns the name of the cookie. It contains the port, because cookies do not distinguish ports and several proxies
 * may run on one machine. Replicas have one name, because a browser reaches all of them at one address.
 */
export function panelCookieName(app: Pick<App, "boot" | "part">): string {
  return `proxy_panel_${cookieScope(app)}`;
}

/** What distinguishes the cookies of this proxy from those of others on the same host. */
export function cookieScope({ boot, part }: Pick<App, "boot" | "part">): string {
  return part(replicaSharing) ? "cluster" : String(parseHost(boot.listenAddr)?.port ?? 0);
}

/** Returns the `Set-Cookie` header for a new session; without a secret it deletes the cookie. */
export function panelCookie(
  app: Pick<App, "boot" | "part">,
  { secret = "", secure }: { secret?: string; secure: boolean },
): string {
  const age = secret === "" ? 0 : LIFE_MS / 1000;
  const rest = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? "; Secure" : ""}`;
  return `${panelCookieName(app)}=${secret}; ${rest}`;
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name) return value || undefined;
  }
  return undefined;
}
