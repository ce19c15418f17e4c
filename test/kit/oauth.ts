import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { TEST_KEY, type TestOptions } from "./app.ts";
import { PAGE } from "./panel-session.ts";

/** A proxy at which MCP clients can sign in. */
export const WITH_SIGN_IN: TestOptions = {
  connect: false,
  config: { auth: { oauth: { enabled: true } }, update_check: { enabled: false } },
};

/** A browser with its cookies, which follows redirects only on demand. */
export class TestBrowser {
  readonly #origin: string;
  readonly #cookies = new Map<string, { value: string; path: string }>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Sends a request with the cookies that fit its path. */
  async send(target: string, { method = "GET", headers = {}, body }: SendOptions = {}): Promise<Response> {
    const url = new URL(target, this.#origin);
    const fitting = [...this.#cookies].filter(([, { path }]) => url.pathname.startsWith(path));
    const response = await fetch(url, {
      method,
      redirect: "manual",
      headers: {
        ...(fitting.length > 0 && { cookie: fitting.map(([name, { value }]) => `${name}=${value}`).join("; ") }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = pair.split(/=(.*)/s, 2);
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? "/";
    if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path });
  }

  /** Keeps a cookie, such as that of a session which a test opened. */
  keep(cookie: string): void {
    this.#keep(cookie);
  }

  /** Signs the person in to the panel. */
  async signIn(): Promise<void> {
    const response = await this.send("/ui/session", { method: "POST", headers: PAGE, body: { key: TEST_KEY } });
    assert.equal(response.status, 200, await response.text());
  }

  /** Opens the URL to which a client sends the browser. @returns the id of the consent page */
  async open(authorizationUrl: string | URL): Promise<string> {
    const response = await this.send(String(authorizationUrl));
    const to = response.headers.get("location") ?? "";
    assert.match(to, /^\/ui\/consent\/[\w-]+$/, `${response.status} ${to} ${await response.text()}`);
    return to.slice("/ui/consent/".length);
  }

  /** Returns what the consent page shows. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  async request(uid: string): Promise<{ status: number; body: any }> {
    const response = await this.send(`/ui/consent/${uid}/request`, { headers: PAGE });
    return { status: response.status, body: await response.json() };
  }

  /** Answers a client and returns the URL to which the browser is sent at last. */
  async answer(uid: string, body: object = { allow: true }): Promise<URL> {
    const answered = await this.send(`/ui/consent/${uid}/answer`, { method: "POST", headers: PAGE, body });
    const { data, error } = (await answered.json()) as { data?: { redirect_to: string }; error?: string };
    assert.ok(data, error);
    const resumed = await this.send(data.redirect_to);
    return new URL(resumed.headers.get("location") ?? assert.fail(await resumed.text()));
  }

  /** Signs in, opens the URL of a client and answers it. @returns where the client gets its code */
  async allow(authorizationUrl: string | URL, answer: object = {}): Promise<URL> {
    await this.signIn();
    return this.answer(await this.open(authorizationUrl), { allow: true, ...answer });
  }
}

interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A client that speaks OAuth by hand, so that tests can break every rule. */
export class HandClient {
  readonly url: string;
  readonly redirectUri: string;
  readonly verifier = randomBytes(32).toString("base64url");
  clientId = "";

  constructor(url: string, redirectUri = "http://127.0.0.1:33418/callback") {
    this.url = url;
    this.redirectUri = redirectUri;
  }

  async register(metadata: object = {}): Promise<Response> {
    const response = await fetch(`${this.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: "Hand Client", redirect_uris: [this.redirectUri], ...metadata }),
    });
    if (response.status === 201) this.clientId = ((await response.clone().json()) as { client_id: string }).client_id;
    return response;
  }

  /** The URL to which the client sends a browser. */
  authorizationUrl(changes: Record<string, string | undefined> = {}): string {
    const params = {
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      code_challenge: createHash("sha256").update(this.verifier).digest("base64url"),
      code_challenge_method: "S256",
      resource: `${this.url}/mcp`,
      scope: "mcp:read mcp:write mcp:destructive",
      state: "state of the client",
      ...changes,
    };
    const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `${this.url}/oauth/authorize?${new URLSearchParams(given)}`;
  }

  redeem(code: string, changes: Record<string, string> = {}, headers: Record<string, string> = {}) {
    const form = {
      grant_type: "authorization_code",
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      resource: `${this.url}/mcp`,
      ...changes,
    };
    return this.token(form, headers);
  }

  refresh(refresh_token: string, changes: Record<string, string> = {}) {
    return this.token({ grant_type: "refresh_token", refresh_token, ...changes });
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  async token(form: object, headers: Record<string, string> = {}): Promise<{ status: number; body: any }> {
    const response = await fetch(`${this.url}/oauth/token`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ client_id: this.clientId, ...form }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Initializes an MCP session with a token. */
  initialize(token: string, path = "/mcp"): Promise<Response> {
    const clientInfo = { name: "hand-client", version: "1" };
    return this.#post(token, path, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  }

  /** Calls a tool of the server `alpha` in direct mode. */
  call(token: string, tool: string): Promise<Response> {
    return this.#post(token, "/mcp/all", "tools/call", { name: `alpha__${tool}`, arguments: {} });
  }

  #post(token: string, path: string, method: string, params: object): Promise<Response> {
    return fetch(this.url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  }
}
