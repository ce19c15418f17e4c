import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import { OVERLAP_MS } from "#lib/modules/authorization-server/refresh-tokens.ts";
import { serve } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser, WITH_SIGN_IN } from "#test/kit/oauth.ts";

/** How clients renew their access tokens, and what happens to refresh tokens that are used again. */

/** A proxy whose clock can be put forward, and a client with its first tokens. */
async function signedIn(t: TestContext) {
  let passed = 0;
  const { app, url } = await serve(t, { ...WITH_SIGN_IN, clock: { ...systemClock, now: () => Date.now() + passed } });
  const client = new HandClient(url);
  await client.register();
  const back = await new TestBrowser(url).allow(client.authorizationUrl());
  const { body } = await client.redeem(back.searchParams.get("code")!);
  const pass = (ms: number) => {
    passed += ms;
  };
  return { app, client, first: body, pass };
}

test("a renewed access token replaces nothing that is under way", async (t) => {
  const { client, first } = await signedIn(t);

  const { status, body } = await client.refresh(first.refresh_token);

  assert.equal(status, 200, JSON.stringify(body));
  assert.notEqual(body.refresh_token, first.refresh_token);
  for (const { access_token } of [first, body]) assert.equal((await client.initialize(access_token)).status, 200);
});

test("a refresh token that is used again later ends everything, and that is recorded", async (t) => {
  const { app, client, first, pass } = await signedIn(t);
  const second = await client.refresh(first.refresh_token);
  pass(OVERLAP_MS);

  const replayed = await client.refresh(first.refresh_token);

  assert.deepEqual([replayed.status, replayed.body.error], [400, "invalid_grant"]);
  for (const { access_token } of [first, second.body])
    assert.equal((await client.initialize(access_token)).status, 401);
  assert.equal((await client.refresh(second.body.refresh_token)).status, 400);
  const { records } = await app.store.activity.select({ type: ["policy_decision"] }, { limit: 10 });
  assert.ok(records.some(({ metadata }) => metadata?.step === "grant" && metadata.reason === "invalid_grant"));
});

test("processes that renew one token at the same moment all stay signed in, with the same refresh token", async (t) => {
  const { client, first, pass } = await signedIn(t);

  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => client.refresh(first.refresh_token)));
  const late = await client.refresh(first.refresh_token);

  const all = [...answers, late];
  assert.deepEqual(
    all.map(({ status }) => status),
    all.map(() => 200),
    JSON.stringify(all),
  );
  assert.equal(new Set(all.map(({ body }) => body.refresh_token)).size, 1);
  assert.equal(new Set(all.map(({ body }) => body.access_token)).size, 6);
  for (const { body } of all) assert.equal((await client.initialize(body.access_token)).status, 200);
  pass(OVERLAP_MS);
  assert.equal((await client.refresh(late.body.refresh_token)).status, 200, "they renew it again later");
});

test("once the new refresh token was used, the one before it ends everything at once", async (t) => {
  const { client, first } = await signedIn(t);
  const second = await client.refresh(first.refresh_token);
  const third = await client.refresh(second.body.refresh_token);
  assert.equal(third.status, 200);

  const replayed = await client.refresh(first.refresh_token);

  assert.deepEqual([replayed.status, replayed.body.error], [400, "invalid_grant"]);
  assert.equal((await client.initialize(third.body.access_token)).status, 401);
});

test("a code that arrives twice at the same moment gives access to nobody", async (t) => {
  const { url } = await serve(t, WITH_SIGN_IN);
  const client = new HandClient(url);
  await client.register();
  const back = await new TestBrowser(url).allow(client.authorizationUrl());
  const code = back.searchParams.get("code")!;

  const answers = await Promise.all([1, 2, 3].map(() => client.redeem(code)));

  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length >= 2, JSON.stringify(answers));
  for (const { status, body } of refused) assert.deepEqual([status, body.error], [400, "invalid_grant"]);
  for (const { body } of answers)
    if (body.access_token) assert.equal((await client.initialize(body.access_token)).status, 401);
});
