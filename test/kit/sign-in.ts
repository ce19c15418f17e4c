import type { TestApp } from "./app.ts";
import { call } from "./http.ts";
import { until } from "./until.ts";
import { startProgram } from "./upstream.ts";

/** The state that `test/programs/upstream-oauth.mjs` returns at /control. */
export interface Control {
  /** The authorization server. */
  issuer: string;
  counts: Record<string, number>;
  tokens: string[];
  seen: Record<string, string | undefined>[];
  /** Why the authorization server rejected assertions about people. */
  rejected: string[];
  /** Requests at the MCP server, each with the account to which its token belongs. */
  calls: { account?: string; method: string; name?: string }[];
}

export interface Guarded {
  /** The MCP server. */
  url: string;
  /** Permits the proxy to contact the authorization server, which runs on this machine. */
  config: { outbound_allow: string[] };
  /** Sets errors from now on; returns the events so far. */
  control(set?: Record<string, unknown>): Promise<Control>;
  kill(): Promise<void>;
}

/**
 * Starts an MCP server that requires a sign-in, with its authorization server.
 *
 * @param clients further clients that the authorization server knows
 */
export async function startGuarded(...clients: object[]): Promise<Guarded> {
  const { url, kill } = await startProgram("upstream-oauth.mjs", JSON.stringify(clients));
  const control = async (set: Record<string, unknown> = {}) => {
    const answer = await fetch(new URL("/control", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(set),
    });
    return (await answer.json()) as Control;
  };
  const { issuer } = await control();
  return { url, kill, control, config: { outbound_allow: [new URL(issuer).host] } };
}

/** A minimal browser with cookies: follows redirects until one leads to another origin. */
export async function browse(authUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(authUrl);
  for (let at = authUrl, hops = 0; hops < 20; hops++) {
    const answer = await fetch(at, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const to = answer.headers.get("location");
    if (to === null) throw new Error(`HTTP ${answer.status} at ${at}: ${(await answer.text()).slice(0, 2000)}`);
    await answer.body?.cancel();
    at = new URL(to, at).href;
    if (new URL(at).origin !== origin) return at;
  }
  throw new Error("redirects in circles");
}

/** Begins a sign-in at `name`, follows it as a browser would, and returns the final page. */
export async function signIn(app: TestApp, name: string): Promise<{ status: number; text: string; back: string }> {
  const started = await call(app, "POST /api/v1/servers/{name}/login", { params: { name } });
  const back = await browse(started.auth_url);
  const page = await fetch(back);
  return { status: page.status, text: await page.text(), back };
}

/** Signs in and waits until the server is connected. */
export async function signedIn(app: TestApp, name: string): Promise<void> {
  const { status, text } = await signIn(app, name);
  if (status !== 200) throw new Error(`not signed in: ${text}`);
  await until(`${name} is connected`, () => app.upstreams.get(name)?.status().state === "Ready");
}

/** Waits until the server has required a sign-in. */
export async function asksForSignIn(app: TestApp, name: string): Promise<void> {
  await until(`${name} asks for a sign-in`, () => app.upstreams.get(name)?.status().authRequired === true);
}
