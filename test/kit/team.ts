import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { recordId } from "#lib/core/base/id.ts";
import type { Caller } from "#lib/core/schema/caller.ts";
import type { NewToken } from "#lib/core/schema/token-entry.ts";
import type { UserRow } from "#lib/core/schema/user.ts";
import { issueBearer } from "#lib/modules/team/bearer.ts";
import { userCaller } from "#lib/modules/team/caller.ts";
import { openSession } from "#lib/modules/team/sessions.ts";
import { createOwn } from "#lib/modules/team/tokens.ts";
import { sessionCookie } from "#lib/modules/team/user-session.ts";
import { listenTest, TEST_KEY, type TestApp, type TestOptions, testApp } from "./app.ts";
import { type Scope, startNode } from "./program.ts";
import { putUser } from "./store.ts";

/** A real identity provider in a separate process. */
export interface Idp {
  readonly issuer: string;
  /** Sends it a message and waits until it is processed. @returns the requests for assertions so far */
  tell(what: object): Promise<IdpRecord>;
}

export interface IdpRecord {
  readonly exchanges: readonly Record<string, string | undefined>[];
  readonly revoked: readonly string[];
  /** The ID token of a user who signed in to the client `desktop`, if the message asked for it. */
  readonly id_token?: string;
}

export async function startIdp(t: Scope): Promise<Idp> {
  const { child } = startNode(t, ["test/programs/idp.mjs"]);
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, "line")) as [string];
  const { issuer } = JSON.parse(first) as { issuer: string };
  return {
    issuer,
    async tell(what) {
      const taken = once(lines, "line");
      child.stdin.write(`${JSON.stringify(what)}\n`);
      const [record] = (await taken) as [string];
      return JSON.parse(record) as IdpRecord;
    },
  };
}

/** A minimal `server_edition` for a provider at this URL. */
export function editionFor(issuer: string, over: Record<string, unknown> = {}) {
  const { oauth = {}, ...rest } = over;
  return {
    enabled: true,
    admin_emails: ["carol@example.com"],
    ...rest,
    oauth: { issuer_url: issuer, client_id: "proxy", client_secret: "sesame & more", ...(oauth as object) },
  };
}

export interface Team {
  app: TestApp;
  url: string;
  idp: Idp;
  browser(): Browser;
  /** A browser with a signed-in user. */
  signedIn(who: string): Promise<Browser>;
}

/** Starts a proxy with the multi-user edition on a free port, and a real identity provider. */
export async function team(
  t: TestContext,
  { edition = {}, ...options }: TestOptions & { edition?: Record<string, unknown> } = {},
): Promise<Team> {
  const idp = await startIdp(t);
  const config = { ...options.config, server_edition: editionFor(idp.issuer, edition) };
  const app = await testApp({ connect: false, ...options, config });
  const { url, close } = await listenTest(app);
  t.after(async () => {
    await close();
    await app.close();
  });
  await idp.tell({ redirect_uris: [`${url}/api/v1/auth/callback`] });
  const browser = () => new Browser(url);
  return {
    app,
    url,
    idp,
    browser,
    async signedIn(who) {
      const fresh = browser();
      await fresh.signIn(who);
      return fresh;
    },
  };
}

export interface Page {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of all kinds of responses
  body: any;
  url: string;
}

/** The parts of a browser that a sign-in needs: cookies for each host and port, and redirects only on request. */
export class Browser {
  readonly cookies = new Map<string, Map<string, string>>();
  readonly home: string;

  constructor(home: string) {
    this.home = home;
  }

  /** Requests one page; a path is relative to the proxy. */
  async go(
    to: string,
    { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Page> {
    const url = new URL(to, this.home);
    const jar = this.jar(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      method,
      headers: { ...(cookie && { cookie }), ...headers },
      redirect: "manual",
      ...(body !== undefined && { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0\b|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.text();
    const json = /^application\/json\b/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json ? JSON.parse(text) : text,
      url: url.href,
    };
  }

  /** Sends JSON like a page of the proxy. */
  send(method: string, path: string, body?: object): Promise<Page> {
    return this.go(path, {
      method,
      headers: { origin: this.home, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** Begins a sign-in and follows the provider's pages to the redirect URI. */
  async toCallback(who: string, path = "/api/v1/auth/login"): Promise<string> {
    let page = await this.go(path);
    for (let step = 0; step < 20; step++) {
      const to = page.headers.get("location");
      if (to && new URL(to, page.url).pathname === "/api/v1/auth/callback") return new URL(to, page.url).href;
      if (to) page = await this.go(new URL(to, page.url).href);
      else {
        const action = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1];
        if (!action) throw new Error(`no way on from ${page.url}: ${page.status} ${page.text.slice(0, 300)}`);
        const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? "login";
        page = await this.go(new URL(action, page.url).href, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ prompt, ...(prompt === "login" && { login: who, password: "any" }) }).toString(),
        });
      }
    }
    throw new Error("the sign-in does not end");
  }

  /** Signs in completely. @returns the response to the callback */
  async signIn(who: string, path?: string): Promise<Page> {
    const page = await this.go(await this.toCallback(who, path));
    if (page.status !== 302) throw new Error(`${who} was not signed in: ${page.status} ${page.text}`);
    return page;
  }

  /** The session cookie of the proxy as a Cookie header. */
  get session(): string {
    const [name, value] = [...this.jar(new URL(this.home))].find(([key]) => key.includes("proxy_session")) ?? [];
    return `${name}=${value}`;
  }

  jar({ host }: URL): Map<string, string> {
    const jar = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, jar);
    return jar;
  }
}

/** Creates a user as after a sign-in with these groups. */
export async function person(app: TestApp, over: Partial<UserRow> & { email: string }): Promise<UserRow> {
  const now = app.clock.now();
  const id = recordId(now);
  const row: UserRow = {
    id,
    issuer: "https://id.example",
    subject: id,
    groups: [],
    admin: false,
    off: [],
    createdAt: now,
    signedInAt: now,
    bearersAfter: 0,
    ...over,
  };
  await putUser(app.store.users, row);
  return row;
}

/** The headers of a request from the panel in a browser with this signed-in user; the proxy must be listening. */
export async function sessionOf(app: TestApp, user: UserRow): Promise<Record<string, string>> {
  const { secret } = await openSession(app, user, {});
  return { cookie: `${sessionCookie(app, false)}=${secret}`, "x-requested-with": "test" };
}

/** The caller for a user's browser. */
export function callerFor(app: TestApp, user: UserRow): Caller {
  const now = app.clock.now();
  const shown = { by: "session" as const, signedInAt: now, issuedAt: now, until: now + 86_400_000 };
  return userCaller(app.config.current(), user, shown)!;
}

export async function bearerOf(app: TestApp, user: UserRow): Promise<Record<string, string>> {
  return { authorization: `Bearer ${(await issueBearer(app, callerFor(app, user))).token}` };
}

/** Creates an agent token of a user, with all permissions by default. */
export async function tokenOf(
  app: TestApp,
  user: UserRow,
  wanted: Partial<NewToken> = {},
): Promise<Record<string, string>> {
  const by = { caller: callerFor(app, user), origin: { source: "api" as const, requestId: "r-own" } };
  const permissions = ["read", "write", "destructive"] as const;
  const { token } = await createOwn(app, { name: "own", permissions: [...permissions], ...wanted }, by);
  return { "x-api-key": token };
}

export const ADMIN_KEY = { "x-api-key": TEST_KEY };
