import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { App, Part } from "#lib/core/app.ts";
import { sharesSessions } from "#lib/core/extension/shares-sessions.ts";
import { sealedStates } from "#lib/core/mcp/sealed-states.ts";
import { sessionHandles } from "#lib/core/mcp/session-handles.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { INITIALIZE, toolCall } from "#test/kit/mcp.ts";
import { issue, shows } from "#test/kit/token.ts";

const SESSION = "mcp-session-id";

/** Two replicas with one key for what clients hold, as with one database. */
async function replicas(t: TestContext) {
  const clock = handClock();
  const apps = [await testApp({ connect: false, clock }), await testApp({ connect: false, clock })] as const;
  const states = apps[0].part(sealedStates);
  const urls = await Promise.all(
    apps.map(async (app) => {
      share(
        app,
        new Map<Part<unknown>, unknown>([
          [sharesSessions, true],
          [sealedStates, states],
        ]),
      );
      const { url, close } = await listenTest(app);
      t.after(async () => {
        await close();
        await app.close();
      });
      return url;
    }),
  );
  const send = (at: number, message: unknown, headers: Record<string, string> = {}, path = "/mcp/all") =>
    fetch(`${urls[at]}${path}`, {
      method: message === undefined ? "DELETE" : "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      ...(message !== undefined && { body: JSON.stringify(message) }),
    });
  const open = async (at: number, message: unknown = INITIALIZE, headers: Record<string, string> = {}) => {
    const response = await send(at, message, headers);
    return response.headers.get(SESSION)!;
  };
  return { apps, clock, send, open };
}

/** Replaces parts of an App. */
function share(app: TestApp, parts: Map<Part<unknown>, unknown>): void {
  const own = app.part;
  const part = ((key: Part<unknown>) => {
    const open = parts.has(key) ? parts.get(key) : own(key);
    return open;
  }) as App["part"];
  parts.set(sessionHandles, sessionHandles.open({ ...app, part }));
  Object.assign(app, { part });
}

const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
/** A request that only a client with a session may have: it changes the session's state. */
const LEVEL = { jsonrpc: "2.0", id: 3, method: "logging/setLevel", params: { level: "debug" } };

test("a session goes on at another replica", async (t) => {
  const { open, send } = await replicas(t);
  const id = await open(0);

  const answers = await Promise.all([LIST, LEVEL].map((message) => send(1, message, { [SESSION]: id })));

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.ok(id.length < 500, `${id.length} characters`);
  assert.match(id, /^[\w-]+$/);
});

test("the records of a session have a short id, the same at each replica", async (t) => {
  const { apps, open, send } = await replicas(t);
  const id = await open(0);

  await send(0, toolCall("none__x"), { [SESSION]: id });
  await send(1, toolCall("none__x"), { [SESSION]: id });

  const used = new Set<string | undefined>();
  for (const { store } of apps) for await (const record of store.activity.walk({})) used.add(record.session_id);
  assert.equal(used.size, 1);
  assert.equal([...used][0]?.length, 32);
});

test("a session id is not known to another caller, at another endpoint, when changed, and after a day", async (t) => {
  const { apps, clock, open, send } = await replicas(t);
  const id = await open(0);
  const token = await issue(apps[1]);
  const changed = `${id.slice(0, -4)}${id.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
  const status = async (headers: Record<string, string>, path?: string) => (await send(1, LIST, headers, path)).status;

  const others = [
    await status({ [SESSION]: id, ...shows(token) }),
    await status({ [SESSION]: id }, "/mcp/call"),
    await status({ [SESSION]: changed }),
    await status({ [SESSION]: "x" }),
  ];
  clock.jump(25 * 3_600_000);
  others.push(await status({ [SESSION]: id }));

  assert.deepEqual(others, [404, 404, 404, 404, 404]);
});

test("a session that its client has ended is not restored", async (t) => {
  const { open, send } = await replicas(t);
  const id = await open(0);
  await send(1, LIST, { [SESSION]: id });

  const ended = await send(1, undefined, { [SESSION]: id });
  const after = await send(1, LIST, { [SESSION]: id });

  assert.deepEqual([ended.status, after.status], [200, 404]);
});

test("a client that declares more than fits into an id has a session of one replica", async (t) => {
  const { open, send } = await replicas(t);
  const capabilities = { sampling: { note: "x".repeat(2000) } };
  const id = await open(0, { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } });

  const here = await send(0, LIST, { [SESSION]: id });
  const there = await send(1, LIST, { [SESSION]: id });

  assert.deepEqual([id.length, here.status, there.status], [32, 200, 404]);
});

test("without shared sessions an id is random and known to one replica", async (t) => {
  const app = await testApp({ connect: false });
  const { url, close } = await listenTest(app);
  t.after(async () => {
    await close();
    await app.close();
  });

  const response = await fetch(`${url}/mcp/all`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(INITIALIZE),
  });

  assert.equal(response.headers.get(SESSION)?.length, 32);
});
