import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "#test/kit/http.ts";
import { serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";

const getJson = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

test("a client registers, a person allows it, and its access token is an agent token", async (t) => {
  const { app, url } = await serve(t, WITH_SIGN_IN);
  const client = new HandClient(url);
  const registered = await client.register();
  assert.equal(registered.status, 201, await registered.clone().text());

  const back = await new TestBrowser(url).allow(client.authorizationUrl(), { permissions: ["read", "write"], days: 7 });

  assert.equal(back.origin + back.pathname, client.redirectUri);
  assert.equal(back.searchParams.get("state"), "state of the client");
  assert.equal(back.searchParams.get("iss"), url);
  const { status, body } = await client.redeem(back.searchParams.get("code")!);
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.access_token, /^mcp_agt_[0-9a-f]{64}$/);
  assert.equal(body.scope, "mcp:read mcp:write");
  assert.equal(body.token_type, "Bearer");
  assert.ok(body.expires_in > 3500 && body.expires_in <= 3600);
  assert.equal((await client.initialize(body.access_token)).status, 200);
  const { tokens } = await call(app, "GET /api/v1/tokens", {});
  assert.deepEqual(
    tokens.map(({ name, permissions, client: of }) => [name, permissions, of?.name, of?.host]),
    [["hand-client", ["read", "write"], "Hand Client", undefined]],
  );
});

test("a client without a credential learns where to sign in, for each endpoint", async (t) => {
  const { url } = await serve(t, { ...WITH_SIGN_IN, config: { ...WITH_SIGN_IN.config, profiles: [] } });
  for (const path of ["/mcp", "/mcp/all", "/mcp/call", "/mcp/code", "/mcp/p/work", "/mcp/p/work/all"]) {
    const refused = await fetch(url + path, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    const challenge = refused.headers.get("www-authenticate") ?? "";
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? assert.fail(challenge);
    const metadata = await getJson(metadataUrl);

    assert.equal(refused.status, 401);
    assert.match(challenge, /scope="mcp:read mcp:write mcp:destructive"/);
    assert.equal(metadataUrl, `${url}/.well-known/oauth-protected-resource${path}`);
    assert.deepEqual(
      [metadata.resource, metadata.authorization_servers, metadata.bearer_methods_supported],
      [url + path, [url], ["header"]],
    );
  }
  const server = await getJson(`${url}/.well-known/oauth-authorization-server`);
  assert.equal(server.issuer, url);
  assert.deepEqual(server.code_challenge_methods_supported, ["S256"]);
  assert.equal(server.client_id_metadata_document_supported, true);
  assert.equal(server.authorization_response_iss_parameter_supported, true);
});
