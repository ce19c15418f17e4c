import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "#test/kit/http.ts";
import { serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";
import { bearerOf, editionFor, person, sessionOf } from "#test/kit/team.ts";

const WORLD = {
  ...WITH_SIGN_IN,
  config: {
    ...WITH_SIGN_IN.config,
    server_edition: editionFor("https://id.example", {
      access: { group_servers: { dev: ["alpha"] }, default_servers: [] },
    }),
  },
  servers: [
    { name: "alpha", command: "x", enabled: false },
    { name: "beta", command: "x", enabled: false },
  ],
};

test("the client of a user has no more than the user, is recorded as the user's, and ends with the user", async (t) => {
  const { app, url } = await serve(t, WORLD);
  const dev = await person(app, { email: "dev@example.com", groups: ["dev"] });
  const { cookie = "" } = await sessionOf(app, dev);
  const client = new HandClient(url);
  await client.register();
  const browser = new TestBrowser(url);
  browser.keep(cookie);
  const uid = await browser.open(client.authorizationUrl());

  const { body } = await browser.request(uid);

  assert.deepEqual([body.data.person, body.data.servers], ["dev@example.com", ["alpha"]]);
  const back = await browser.answer(uid, { allow: true });
  const { body: issued } = await client.redeem(back.searchParams.get("code")!);
  assert.equal((await client.initialize(issued.access_token)).status, 200);
  const [token] = (await call(app, "GET /api/v1/tokens", {})).tokens;
  assert.deepEqual([token?.owner, token?.client?.name], ["dev@example.com", "Hand Client"]);
  assert.equal((await client.initialize((await bearerOf(app, dev)).authorization!.slice(7))).status, 401, "a JWT");

  await call(app, "POST /api/v1/admin/users/{id}/disable", { params: { id: dev.id } });

  assert.equal((await client.initialize(issued.access_token)).status, 401);
  const refused = await client.refresh(issued.refresh_token);
  assert.deepEqual([refused.status, refused.body.error], [400, "invalid_grant"]);
});
