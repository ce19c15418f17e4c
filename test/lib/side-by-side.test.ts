import assert from "node:assert/strict";
import { test } from "node:test";
import { recordCall } from "#lib/core/gateway/record-call.ts";
import { openCall } from "#lib/core/gateway/stages/stage.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { INITIALIZE, program, serve, toolCall } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { until } from "#test/kit/until.ts";

const KEYS = { first: "first-key-0123456789abcdef", second: "second-key-0123456789abcdef" };

const pair = async (t: Parameters<typeof serve>[0]) => ({
  first: await serve(t, { servers: [program("up")], connect: true, config: { api_key: KEYS.first } }),
  second: await serve(t, { servers: [program("other")], connect: true, config: { api_key: KEYS.second } }),
});

const READ = toolCall("call_tool_read", {
  name: "up:raw",
  args: { json: '{"content":[]}' },
  intent: { operation_type: "read" },
});

const get = (url: string, key: string) => fetch(`${url}/api/v1/servers`, { headers: { "x-api-key": key } });

const INNER = { caller: INTERNAL_CALLER, origin: { source: "internal", requestId: "r" } } as const;

test("two Apps in one process accept their own keys and agent tokens only, and count wrong ones apart", async (t) => {
  const { first, second } = await pair(t);
  const token = await issue(first.app, { name: "ci" });

  for (let round = 0; round < 3; round++) {
    assert.equal((await get(first.url, KEYS.first)).status, 200);
    assert.equal((await get(second.url, KEYS.second)).status, 200);
    assert.equal((await get(first.url, KEYS.second)).status, 401);
    assert.equal((await get(second.url, KEYS.first)).status, 401);
  }
  assert.equal((await get(first.url, token)).status, 200);
  assert.equal((await get(second.url, token)).status, 401);
  let tries = 0;
  while ((await get(first.url, "wrong")).status !== 429) assert.ok(tries++ < 1000, "wrong keys are not limited");
  assert.equal((await get(second.url, "wrong")).status, 401);
});

test("two Apps in one process share no servers, tools, sessions, records or events", async (t) => {
  const { first, second } = await pair(t);
  const heard: string[] = [];
  // Its own server may still be listing its prompts and resources.
  const isOwn = (data: object) => "server" in data && data.server === "other";
  second.app.events.subscribe(({ kind, data }) => void (isOwn(data) || heard.push(kind)));
  const before = (await second.app.store.activity.select({}, { limit: 1 })).total;

  const opened = await first.post(INITIALIZE, { headers: { "x-api-key": KEYS.first } });
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
  const called = await first.post(READ, {
    headers: { ...session, "x-api-key": KEYS.first },
  });
  await until(
    "the record",
    async () => (await first.app.store.activity.select({ type: ["tool_call"] }, { limit: 1 })).total === 1,
  );
  await until("the count", async () => (await first.app.store.sessions.page({}, 9, 0)).total === 1);
  const elsewhere = await second.post(READ, {
    headers: { ...session, "x-api-key": KEYS.second },
  });

  assert.equal(called.status, 200);
  assert.equal(elsewhere.status, 404);
  assert.deepEqual(heard, []);
  assert.equal((await second.app.store.activity.select({}, { limit: 1 })).total, before);
  assert.equal((await second.app.store.sessions.page({}, 9, 0)).total, 0);
  assert.equal(second.app.upstreams.get("up"), undefined);
  assert.deepEqual([...second.app.catalog.servers()], ["other"]);
});

test("calls of one App wait for its own unwritten records, not for those of another", async (t) => {
  const { first, second } = await pair(t);
  const { signal } = new AbortController();
  const finished = (app: typeof first.app, server: string) =>
    Object.assign(openCall(app, INNER, { id: `${server}:raw`, args: {}, signal }), {
      server,
      tool: "raw",
      durationMs: 1,
    });

  let wait: Promise<void> | undefined;
  for (let count = 0; count <= 5000; count++) wait = recordCall(finished(first.app, "up"));

  assert.ok(wait, "the first App's backlog is full");
  assert.equal(recordCall(finished(second.app, "other")), undefined);
  await wait;
});
