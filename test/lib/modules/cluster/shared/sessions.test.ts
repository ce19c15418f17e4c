import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { listenTest, type TestOptions } from "#test/kit/app.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { INITIALIZE } from "#test/kit/mcp.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const PING = { jsonrpc: "2.0", id: 2, method: "ping" };

async function replicas(t: TestContext, count = 3, options: TestOptions = {}) {
  const apps = await openClusterApps(t, server!.database(), { ...options, count });
  const listening = await Promise.all(apps.map(listenTest));
  t.after(() => Promise.all(listening.map(({ close }) => close())));
  const send = (at: number, method: string, session?: string, message?: unknown) =>
    fetch(`${listening[at]!.url}/mcp/all`, {
      method,
      headers: {
        accept: "application/json, text/event-stream",
        ...(message !== undefined && { "content-type": "application/json" }),
        ...(session !== undefined && { "mcp-session-id": session }),
      },
      ...(message !== undefined && { body: JSON.stringify(message) }),
    });
  const open = async (at: number, capabilities: object = {}) => {
    const message = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } };
    return (await send(at, "POST", undefined, message)).headers.get("mcp-session-id")!;
  };
  const status = async (at: number, session: string) => {
    const response = await send(at, "POST", session, PING);
    await response.text();
    return response.status;
  };
  return { apps, send, open, status };
}

test("a session that its client ends at one replica ends at all, also at those that have not seen it", {
  skip,
}, async (t) => {
  const { send, open, status } = await replicas(t);
  const [session, other] = [await open(0), await open(0)];
  for (const at of [0, 1])
    for (const one of [session, other]) await until("it is known", async () => (await status(at, one)) === 200);

  assert.equal((await send(1, "DELETE", session)).status, 200);

  await until("it has ended where it was in use", async () => (await status(0, session)) === 404);
  assert.equal(await status(1, session), 404);
  assert.equal(await status(2, session), 404);
  assert.equal(await status(2, other), 200);
});

test("a client that comes back to another replica is notified that its lists may have changed", { skip }, async (t) => {
  const { send, open, status } = await replicas(t, 2);
  const session = await open(0);
  // The first session makes the key of its id, which the other replica learns a moment later.
  await until("the session is known", async () => (await status(1, session)) === 200);
  const aborts = new AbortController();
  t.after(() => aborts.abort());
  const seen = ["", ""];
  const follow = async (at: number) => {
    const { body } = await send(at, "GET", session);
    for await (const text of body!.pipeThrough(new TextDecoderStream())) seen[at] += text;
  };
  for (const at of [0, 1]) void follow(at).catch(() => {});

  await until("the other replica notifies it", () => seen[1]!.includes("notifications/resources/list_changed"));
  assert.match(seen[1]!, /notifications\/tools\/list_changed/);
  assert.match(seen[1]!, /notifications\/prompts\/list_changed/);
  assert.doesNotMatch(seen[0]!, /list_changed/);
});

test("an answer to a question, and the cancellation of a call, count although they come to another replica", {
  skip,
}, async (t) => {
  const upstream = await startProgram("upstream-sdk.mjs", "1", "http", "both", "asks");
  t.after(() => upstream.kill());
  const servers = [
    { name: "up", url: upstream.url, protocol: "streamable-http" as const, trust_mode: "auto" as const },
  ];
  const { apps, send, open } = await replicas(t, 2, { connect: true, servers });
  await until("both list the tools", () => apps.every((app) => app.catalog.of("up").length > 0));
  const session = await open(0, { elicitation: { form: {} } });
  const ask = async (id: number) => {
    const params = { name: "up__ask", arguments: { kind: "form" } };
    const { body } = await send(0, "POST", session, { jsonrpc: "2.0", id, method: "tools/call", params });
    const call = { text: "", isOver: false };
    void (async () => {
      for await (const text of body!.pipeThrough(new TextDecoderStream())) call.text += text;
      call.isOver = true;
    })();
    await until("the client is asked", () => call.text.includes("elicitation/create"));
    return { call, question: /"id":"(question-[^"]+)"/.exec(call.text)![1]! };
  };

  const answered = await ask(7);
  const result = { action: "accept", content: { name: "Amy" } };
  assert.equal((await send(1, "POST", session, { jsonrpc: "2.0", id: answered.question, result })).status, 202);
  await until("the call ends", () => answered.call.isOver);
  assert.match(answered.call.text, /Amy/);

  const cancelled = await ask(8);
  const params = { requestId: 8 };
  await send(1, "POST", session, { jsonrpc: "2.0", method: "notifications/cancelled", params });
  await until("the call ends without a result", () => cancelled.call.isOver);
  assert.doesNotMatch(cancelled.call.text, /"result"/);
});
