import assert from "node:assert/strict";
import { test } from "node:test";
import { router } from "#handlers/router.ts";
import { recordActivity } from "#lib/core/gateway/record-activity.ts";
import type { Actor } from "#lib/core/schema/caller.ts";
import { admin, agent } from "#test/kit/actor.ts";
import { listenTest, TEST_KEY, type TestApp, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask } from "#test/kit/http.ts";
import { issue, shows } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

const EXPORT = "GET /api/v1/activity/export";
const HEADING =
  "id,type,source,server_name,tool_name,status,error_message,duration_ms,timestamp,session_id,request_id," +
  "response_truncated,parent_id,actor,request_bytes,response_bytes,max_severity,detection_types";

const start = (fn: (app: TestApp, add: (entry: object, by?: Actor) => Promise<string>) => Promise<void>) => {
  const clock = handClock(1_700_000_000_000);
  return withApp({ connect: false, clock, servers: [{ name: "git", command: "x" }] }, (app) =>
    fn(app, async (entry, by = admin) => {
      await clock.advance(1000);
      const whole = { type: "tool_call", status: "success", ...entry } as Parameters<typeof recordActivity>[2];
      const { id, durable } = recordActivity(app, by, whole);
      await durable;
      return id;
    }),
  );
};

const lines = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

verifies("rest.activity.export", "records come as JSON Lines, newest first, with the list's filters", () =>
  start(async (app, add) => {
    const call = { server_name: "git", tool_name: "log", duration_ms: 3, arguments: { a: 1 }, response: '{"x":1}' };
    const first = await add(call);
    const second = await add({ server_name: "web", status: "error", error_message: "no" });
    await add({ type: "preflight" });

    const all = await ask(app, EXPORT);
    assert.deepEqual(
      [all.status, all.headers.get("content-type"), all.headers.get("content-disposition")],
      [200, "application/x-ndjson", 'attachment; filename="activity-export.jsonl"'],
    );
    const text = String(await raw(app, "/api/v1/activity/export"));
    const list = (await ask(app, "GET /api/v1/activity")).body.data.activities;
    assert.deepEqual(lines(text), list);
    assert.ok(text.endsWith("\n"));
    const ids = async (query: string) => lines(await raw(app, `/api/v1/activity/export?${query}`)).map((r) => r.id);
    assert.deepEqual(await ids("server=git"), [first]);
    assert.deepEqual(await ids("type=tool_call&limit=1"), [second]);
    assert.deepEqual(await ids("status=error&format=json"), [second]);
    assert.deepEqual(await ids("server=nope"), []);
    const [whole] = lines(await raw(app, "/api/v1/activity/export?include_bodies=true&server=git"));
    assert.deepEqual([whole.arguments, whole.response], [{ a: 1 }, '{"x":1}']);
  }),
);

verifies("rest.activity.export", "or as CSV with a heading, of which no cell is a formula", () =>
  start(async (app, add) => {
    const id = await add({
      server_name: "git",
      tool_name: "=cmd|' /C calc'!A0",
      status: "error",
      error_message: 'no "such", branch\nat all',
      duration_ms: 2.5,
      response_truncated: false,
      response_bytes: 12,
    });

    const { headers, body } = await ask(app, `${EXPORT}?format=csv`);

    assert.equal(headers.get("content-type"), "text/csv; charset=utf-8; header=present");
    assert.equal(headers.get("content-disposition"), 'attachment; filename="activity-export.csv"');
    assert.equal(
      body,
      `${HEADING}\r\n${id},tool_call,api,git,'=cmd|' /C calc'!A0,error,"no ""such"", branch\nat all",2.5,` +
        "2023-11-14T22:13:21.000Z,,r-1,false,,admin,,12,,\r\n",
    );
    assert.equal((await ask(app, `${EXPORT}?format=csv&server=nope`)).body, `${HEADING}\r\n`);
  }),
);

test("what is asked for wrongly is refused by name", () =>
  start(async (app) => {
    for (const [query, text] of [
      ["format=xml", /^format: must be one of json, csv/],
      ["limit=x", /^limit: must be a whole number from 1 to 1000000000/],
      ["include_bodies=1", /^include_bodies: must be one of true, false/],
      ["start_time=yesterday", /^start_time: /],
    ] as const) {
      const { status, body } = await ask(app, `${EXPORT}?${query}`);
      assert.deepEqual([status, text.test(body.error)], [400, true], query);
    }
    assert.equal((await ask(app, EXPORT, { as: "nobody" })).status, 401);
  }));

test("an agent exports what it may list, and no others' payloads", () =>
  start(async (app, add) => {
    const bot = agent(["git"]);
    await add({ server_name: "git", arguments: { a: 1 }, response: "{}" });
    await add({ server_name: "web" });
    await add({ type: "preflight", metadata: { per_tool: [{ id: "web:get" }] } });
    await add({ server_name: "git", tool_name: "mine", arguments: { a: 2 } }, bot);
    const as = shows(await issue(app, { name: "bot", allowed_servers: ["git"] }));

    const text = await raw(app, "/api/v1/activity/export?include_bodies=true", as);

    assert.deepEqual(
      lines(text).map((r) => [r.server_name, r.arguments]),
      [
        ["git", { a: 2 }],
        ["git", undefined],
      ],
    );
    assert.ok(!text.includes("web"));
  }));

test("an export is sent while it is read, and stops when the reader leaves", () =>
  start(async (app) => {
    let read = 0;
    const one = {
      id: "x",
      type: "tool_call",
      source: "api",
      status: "success",
      at: 1,
      error_message: "e".repeat(1000),
    };
    const walk = async function* () {
      for (; ; read++) yield { ...one, id: String(read) } as never;
    };
    const endless = { ...app, store: { ...app.store, activity: { ...app.store.activity, walk } } };
    const served = await listenTest(endless);
    const leaving = new AbortController();
    const response = await fetch(`${served.url}/api/v1/activity/export`, {
      headers: { "x-api-key": TEST_KEY },
      signal: leaving.signal,
    });
    const reader = response.body!.getReader();

    assert.ok((await reader.read()).value!.length > 0);
    await new Promise((wait) => setTimeout(wait, 100));
    const ahead = read;
    assert.ok(ahead < 50_000, `${ahead} records were read ahead`);
    leaving.abort();
    await new Promise((wait) => setTimeout(wait, 100));
    const stopped = read;
    await new Promise((wait) => setTimeout(wait, 50));
    assert.equal(read, stopped);
    await served.close();
  }));

test("an export that breaks off is not taken for a whole one", () =>
  start(async (app) => {
    const walk = async function* () {
      yield { id: "x", type: "tool_call", source: "api", status: "success", at: 1 } as never;
      throw new Error("the disk is gone");
    };
    const broken = { ...app, store: { ...app.store, activity: { ...app.store.activity, walk } } };
    await assert.rejects(raw(broken, "/api/v1/activity/export"));
  }));

/** The body as text, whatever its type. */
async function raw(app: Parameters<typeof router>[0], path: string, headers = shows(TEST_KEY)): Promise<string> {
  const response = await router(app).fetch(new Request(`http://localhost${path}`, { headers }), {
    listener: "tcp",
    remote: "127.0.0.1",
  });
  return response.text();
}
