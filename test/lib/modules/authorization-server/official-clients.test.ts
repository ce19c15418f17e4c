import assert from "node:assert/strict";
import { test } from "node:test";
import { Client as NextClient, StreamableHTTPClientTransport as NextTransport } from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { call } from "#test/kit/http.ts";
import { program, serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";

/** What a client remembers of its sign-in, and the browser that it opens. */
function memory(browser: TestBrowser, answer: object) {
  const kept: Record<string, unknown> = {};
  const keep = (name: string, value: unknown) => {
    kept[name] = value;
  };
  let code: string | undefined;
  return {
    kept,
    takeCode: () => code ?? assert.fail("the client did not open the browser"),
    provider: {
      redirectUrl: "http://127.0.0.1:33418/callback",
      clientMetadata: {
        client_name: "Official Client",
        redirect_uris: ["http://127.0.0.1:33418/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
      state: () => "state",
      clientInformation: () => kept.client as never,
      saveClientInformation: (value: unknown) => keep("client", value),
      tokens: () => kept.tokens as never,
      saveTokens: (value: unknown) => keep("tokens", value),
      saveCodeVerifier: (value: string) => keep("verifier", value),
      codeVerifier: () => kept.verifier as string,
      invalidateCredentials: () => void delete kept.tokens,
      async redirectToAuthorization(to: URL) {
        const back = await browser.allow(to, answer);
        assert.equal(back.searchParams.get("state"), "state");
        code = back.searchParams.get("code") ?? assert.fail(back.href);
      },
    },
  };
}

const WORLD = { ...WITH_SIGN_IN, connect: true, servers: [program("alpha"), program("beta")] };

test("the official client 1.x signs in with the URL alone, calls, and renews its token", async (t) => {
  const { app, url } = await serve(t, WORLD);
  const { provider, takeCode, kept } = memory(new TestBrowser(url), { servers: ["alpha"], permissions: ["read"] });
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/all`), { authProvider: provider });
    const client = new Client({ name: "official", version: "1" });
    t.after(() => client.close());
    return { transport, client, connected: client.connect(transport as Parameters<Client["connect"]>[0]) };
  };
  const first = await connect();
  await assert.rejects(first.connected, UnauthorizedError);
  await first.transport.finishAuth(takeCode());

  const { client, connected } = await connect();
  await connected;

  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === "alpha__echo"));
  assert.ok(!tools.some(({ name }) => name.startsWith("beta__")), "the person allowed one server");
  const before = (kept.tokens as { access_token: string }).access_token;
  // The next request is rejected, so that the client renews its token.
  (kept.tokens as { access_token: string }).access_token = `${before}0`;
  assert.ok((await client.listTools()).tools.length > 0);
  assert.notEqual((kept.tokens as { access_token: string }).access_token, before);
  await client.callTool({ name: "alpha__echo", arguments: { text: "x" } });
  assert.equal((await app.store.activity.select({ actor: "official-client" }, { limit: 5 })).total, 1);
  const [token] = (await call(app, "GET /api/v1/tokens", {})).tokens;
  assert.deepEqual([token?.name, token?.allowed_servers, token?.permissions], ["official-client", ["alpha"], ["read"]]);
  await call(app, "DELETE /api/v1/tokens/{name}", { params: { name: "official-client" } });
  await assert.rejects(client.listTools(), UnauthorizedError, "revoked with effect on the next request");
});

test("the official client 2.x signs in with the URL alone", async (t) => {
  const { url } = await serve(t, WORLD);
  const { provider, takeCode } = memory(new TestBrowser(url), {});
  const connect = () => {
    const transport = new NextTransport(new URL(`${url}/mcp/all`), { authProvider: provider as never });
    const client = new NextClient({ name: "official", version: "2" });
    t.after(() => client.close());
    return { transport, client, connected: client.connect(transport) };
  };
  const first = connect();
  await assert.rejects(first.connected);
  await first.transport.finishAuth(new URLSearchParams({ code: takeCode(), iss: url }));

  const { client, connected } = connect();
  await connected;

  assert.ok((await client.listTools()).tools.some(({ name }) => name === "beta__echo"));
});

test("a client that asked for less asks for more when a tool needs it, unless the person has decided", async (t) => {
  const { url } = await serve(t, { ...WITH_SIGN_IN, connect: true, servers: [program("alpha")] });
  const client = new HandClient(url);
  await client.register();
  const rows = [
    ["mcp:read", ["read"], 403],
    ["mcp:read mcp:write mcp:destructive", ["read"], 200],
    ["mcp:read mcp:write mcp:destructive", ["read", "write", "destructive"], 200],
  ] as const;
  for (const [scope, permissions, status] of rows) {
    const back = await new TestBrowser(url).allow(client.authorizationUrl({ scope }), { permissions });
    const { body } = await client.redeem(back.searchParams.get("code")!);

    const answer = await client.call(body.access_token, "delete_note");

    assert.equal(answer.status, status, `${scope} ${permissions}`);
    const challenge = answer.headers.get("www-authenticate");
    if (status === 200) assert.equal(challenge, null);
    else assert.match(challenge ?? "", /error="insufficient_scope".*scope="mcp:read mcp:destructive"/);
    assert.match(await answer.text(), /"result"/);
  }
});
