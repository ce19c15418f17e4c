import { hash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type App, part } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { parseHost } from "../../base/host-port.ts";
import { type Caller, FULL_SCOPE } from "../../schema/caller.ts";
import type { SignInRow } from "../../schema/sign-in.ts";
import { sameSecret } from "./identify.ts";
import { type BrowserRequest, isSameOrigin } from "./same-origin.ts";

/** What the sign-ins of browsers need of the App. */
type PanelSessionApp = Pick<App, "boot" | "store" | "clock" | "part">;

/** How long a browser that is not used stays signed in, and any at most. (ms) */
const IDLE_MS = 3 * 24 * 3_600_000;
const LIFE_MS = 30 * 24 * 3_600_000;
/** The last use is written no more often than this. (ms) */
const USE_MS = 10 * 60_000;
/** More browsers than one person has; beyond it the one unused for longest is signed out. */
const MAX_SESSIONS = 50;
/** How long a link of `proxy ui` works. (ms) */
export const SIGN_IN_CODE_TIMEOUT_MS = 60_000;
const MAX_CODES = 20;

/** The administrator, as the subject of a sign-in. */
const ADMIN_SUBJECT = "admin";

/** One-time codes by hash, with the moment from which they are worth nothing. They do not survive the program. */
const codes = part("signInCodes", () => new LRUCache<string, number>({ max: MAX_CODES }));

const digest = (text: string) => hash("sha256", text, "hex");
const secret = () => randomBytes(32).toString("base64url");

/** A code that signs one browser in, once, within a minute: what `proxy ui` puts behind the `#` of its link. */
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
 * Exchanges the API key, or a one-time code, for a browser's session.
 *
 * @returns the secret for the cookie, told this once
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
 * Signs a browser in as `subject`. What `credential` is decides how long: when it is another one later, `valid` says no.
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
  await store.signIns.put({
    hash: digest(made),
    subject,
    credential: digest(credential),
    createdAt: now,
    usedAt: now,
    expiresAt,
  });
  return { secret: made, expiresAt };
}

async function makeRoom(store: App["store"], now: number): Promise<void> {
  const rows = store.signIns.all().sort((a, b) => b.usedAt - a.usedAt);
  const over = rows.filter((row, i) => i >= MAX_SESSIONS - 1 || ended(row, now));
  if (over.length > 0) await store.signIns.remove(over.map((row) => row.hash));
}

const ended = ({ usedAt, expiresAt }: SignInRow, now: number) => now >= expiresAt || now - usedAt >= IDLE_MS;

/** Ends the session of this cookie; nothing happens when there is none. */
export async function signOutBrowser({ store, boot }: PanelSessionApp, cookie: string | undefined): Promise<void> {
  const shown = cookieValue(cookie, panelCookieName(boot));
  if (shown && store.signIns.get(digest(shown))) await store.signIns.remove([digest(shown)]);
}

/**
 * Whose browser sent a request: by its cookie, and only when a page of ours sent it. Never on the MCP endpoints (spec
 * 001 §5), where a cookie would let any program that a browser can be made to run in call tools.
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

/** The session of this hash, while it lasts; its use is noted. */
function liveSession({ store, clock }: PanelSessionApp, hashed: string): SignInRow | undefined {
  const row = store.signIns.get(hashed);
  const now = clock.now();
  if (!row || ended(row, now)) return undefined;
  // A note that is lost costs nothing.
  if (now - row.usedAt >= USE_MS) store.signIns.put({ ...row, usedAt: now }).catch(() => undefined);
  return row;
}

/** Who is signed in by this row, if what it was exchanged for still counts. */
function callerOf({ boot }: PanelSessionApp, { hash, subject, credential }: SignInRow): Caller | undefined {
  if (subject !== ADMIN_SUBJECT || boot.apiKey === "" || credential !== digest(boot.apiKey)) return undefined;
  return { tier: "admin", name: "admin", listener: "tcp", scope: FULL_SCOPE, signIn: hash };
}

/** Cookies know no ports, so that two proxies on one machine need two names. */
export function panelCookieName({ listenAddr }: Pick<App["boot"], "listenAddr">): string {
  return `proxy_panel_${parseHost(listenAddr)?.port ?? 0}`;
}

/** `Set-Cookie` for a new session; without a secret it takes the cookie away. */
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
