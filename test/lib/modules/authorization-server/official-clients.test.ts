import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Client as NextClient, StreamableHTTPClientTransport as NextTransport } from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { call } from "#test/kit/http.ts";
import { program, serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";
import { editionFor, person, sessionOf } from "#test/kit/team.ts";

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
        const back = await browser.answer(await browser.open(to), { allow: true, ...answer });
        assert.equal(back.searchParams.get("state"), "state");
        code = back.searchParams.get("code") ?? assert.fail(back.href);
      },
    },
  };
}

const WORLD = { ...WITH_SIGN_IN, connect: true, servers: [program("alpha"), program("beta")] };

test("the official client 1.x signs in with the URL alone, calls, and renews its token", async (t) => {
  const { app, url } = await serve(t, WORLD);
  const browser = new TestBrowser(url);
  await browser.signIn();
  const { provider, takeCode, kept } = memory(browser, { servers: ["alpha"], permissions: ["read"] });
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

type Provider = ReturnType<typeof memory>["provider"];

/** A connection that an official client opens; the first one of a client is rejected and opens the browser. */
interface Connection {
  readonly client: {
    listTools(): Promise<{ tools: { name: string }[] }>;
    callTool: Client["callTool"] | NextClient["callTool"];
  };
  readonly connected: Promise<unknown>;
  finish(code: string): Promise<void>;
  revision(): string | undefined;
}

function first(t: TestContext, url: string, provider: Provider): Connection {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/all`), { authProvider: provider });
  const client = new Client({ name: "official", version: "1" });
  t.after(() => client.close());
  return {
    client,
    connected: client.connect(transport as Parameters<Client["connect"]>[0]),
    finish: (code) => transport.finishAuth(code),
    revision: () => transport.protocolVersion,
  };
}

const second =
  (pin?: string) =>
  (t: TestContext, url: string, provider: Provider): Connection => {
    const transport = new NextTransport(new URL(`${url}/mcp/all`), { authProvider: provider as never });
    const options = pin === undefined ? {} : { versionNegotiation: { mode: { pin } } };
    const client = new NextClient({ name: "official", version: "2" }, options);
    t.after(() => client.close());
    return {
      client,
      connected: client.connect(transport),
      finish: (code) => transport.finishAuth(new URLSearchParams({ code, iss: url })),
      revision: () => client.getNegotiatedProtocolVersion(),
    };
  };

const CLIENTS = [
  ["1.x", "2025-11-25", first],
  ["2.x", "2025-11-25", second()],
  ["2.x", "2026-07-28", second("2026-07-28")],
] as const;

const EDITION = editionFor("https://id.example", {
  access: { group_servers: { dev: ["alpha", "beta"] }, default_servers: [] },
});

for (const [version, revision, open] of CLIENTS)
  for (const isTeam of [false, true])
    test(`the official client ${version} signs in at revision ${revision}, ${isTeam ? "for a user" : "for the administrator"}`, async (t) => {
      const config = { ...WORLD.config, ...(isTeam && { server_edition: EDITION }) };
      const { app, url } = await serve(t, { ...WORLD, config });
      const browser = new TestBrowser(url);
      if (isTeam) {
        const user = await person(app, { email: "dev@example.com", groups: ["dev"] });
        browser.keep((await sessionOf(app, user)).cookie ?? "");
      } else await browser.signIn();
      const { provider, takeCode } = memory(browser, { servers: ["alpha"], permissions: ["read"] });
      const rejected = open(t, url, provider);
      await assert.rejects(rejected.connected);
      await rejected.finish(takeCode());

      const { client, connected, revision: negotiated } = open(t, url, provider);
      await connected;

      assert.equal(negotiated(), revision);
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === "alpha__echo"));
      assert.ok(!tools.some(({ name }) => name.startsWith("beta__")), "the person allowed one server");
      await client.callTool({ name: "alpha__echo", arguments: { text: "x" } });
      const [token, ...others] = (await call(app, "GET /api/v1/tokens", {})).tokens;
      assert.equal(others.length, 0);
      assert.deepEqual([token?.owner, token?.allowed_servers], [isTeam ? "dev@example.com" : undefined, ["alpha"]]);
      const { records } = await app.store.activity.select({ type: ["tool_call"] }, { limit: 5 });
      assert.deepEqual(
        records.map(({ actor, tool_name }) => [actor, tool_name]),
        [[isTeam ? "dev@example.com/official-client" : "official-client", "echo"]],
      );
      if (isTeam)
        await call(app, "POST /api/v1/admin/users/{id}/disable", { params: { id: app.store.users.all()[0]!.id } });
      else await call(app, "DELETE /api/v1/tokens/{name}", { params: { name: "official-client" } });
      // A list can come from the client's cache.
      await assert.rejects(
        client.callTool({ name: "alpha__echo", arguments: { text: "x" } }),
        "ended with effect on the next request",
      );
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
