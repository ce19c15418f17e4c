import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client as NewClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { resourceSubscriptions } from "#lib/core/gateway/resource-subscriptions.ts";
import { knowItems } from "#test/kit/items.ts";
import { INITIALIZE, jsonOf, type Served, serve } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";
import { startProgram } from "#test/kit/upstream.ts";

const UPSTREAMS = [
  ["1", "stdio"],
  ["1", "http"],
  ["2", "stdio"],
  ["2", "http"],
] as const;

/** A proxy in front of a server of the official SDK whose two resources are known. */
async function open(t: TestContext, sdk = "1", transport = "stdio") {
  const program = ["upstream-live.mjs", sdk, transport] as const;
  let where: object = { command: process.execPath, args: [`test/programs/${program[0]}`, sdk, transport] };
  if (transport === "http") {
    const upstream = await startProgram(...program);
    t.after(() => upstream.kill());
    where = { url: upstream.url };
  }
  const served = await serve(t, { servers: [{ name: "up", trust_mode: "auto", ...where }], connect: true });
  const items = ["file:///log", "file:///more"].map((name) => ({ kind: "resource" as const, server: "up", name }));
  const change = knowItems(served.app, items);
  return { ...served, change, items };
}

/** A session of the 2025 family, and the URIs of the updates that it got. */
async function session({ client }: Served) {
  const official = await client("/mcp/all");
  const got: string[] = [];
  official.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void got.push(params.uri));
  const touch = async (uri: string, times = 1) =>
    jsonOf(await official.callTool({ name: "up__touch", arguments: { uri, times } }));
  return { official, got, touch };
}

for (const [sdk, transport] of UPSTREAMS)
  test(`a session hears of updates of a server of SDK ${sdk} over ${transport}, in the spelling that it subscribed with`, async (t) => {
    const served = await open(t, sdk, transport);
    const mapped = await session(served);
    const plain = await session(served);

    await mapped.official.subscribeResource({ uri: "via://up/file:///log" });
    await plain.official.subscribeResource({ uri: "file:///log" });
    await mapped.touch("file:///log");

    await until("both heard of it", () => mapped.got.length > 0 && plain.got.length > 0);
    assert.deepEqual([mapped.got, plain.got], [["via://up/file:///log"], ["file:///log"]]);
  });

for (const [sdk, transport] of UPSTREAMS)
  test(`a client of 2026-07-28 hears of updates of a server of SDK ${sdk} over ${transport}`, async (t) => {
    const served = await open(t, sdk, transport);
    const { touch } = await session(served);
    const client = new NewClient(
      { name: "newer", version: "2" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    t.after(() => client.close());
    const got: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void got.push(params.uri));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp/all`)));

    const listening = await client.listen({ resourceSubscriptions: ["via://up/file:///log", "via://up/file:///none"] });
    await touch("file:///log");
    await until("it heard of it", () => got.length > 0);

    assert.deepEqual(got, ["via://up/file:///log"]);
    await listening.close();
    await until("nobody is subscribed", () => served.app.part(resourceSubscriptions).counts().subscribers === 0);
  });

test("one upstream subscription serves all clients of a resource, and ends after the last of them", async (t) => {
  const served = await open(t);
  const [one, two] = [await session(served), await session(served)];

  await one.official.subscribeResource({ uri: "file:///log" });
  await two.official.subscribeResource({ uri: "via://up/file:///log" });
  assert.deepEqual(await one.touch("file:///log"), [["file:///log", 1]]);
  await one.official.unsubscribeResource({ uri: "file:///log" });
  assert.deepEqual(await one.touch("file:///log"), [["file:///log", 1]]);
  await until("the other one heard of it", () => two.got.length > 0);
  await two.official.unsubscribeResource({ uri: "via://up/file:///log" });

  await until("the server's subscription ended", async () => (await one.touch("file:///log")).length === 0);
  assert.deepEqual(served.app.part(resourceSubscriptions).counts(), { resources: 0, subscribers: 0 });
});

test("a session that ends leaves no subscription behind", async (t) => {
  const served = await open(t);
  const { official } = await session(served);
  const other = await session(served);
  await official.subscribeResource({ uri: "file:///log" });
  const subscriptions = served.app.part(resourceSubscriptions);
  assert.deepEqual(subscriptions.counts(), { resources: 1, subscribers: 1 });

  await (official.transport as unknown as { terminateSession(): Promise<void> }).terminateSession();

  await until("nothing is left", () => subscriptions.counts().resources === 0);
  assert.deepEqual(await other.touch("file:///log"), []);
});

for (const sdk of ["1", "2"])
  test(`subscriptions at a server of SDK ${sdk} are made again over a new connection, and reported as updated`, async (t) => {
    const served = await open(t, sdk);
    const { official, got, touch } = await session(served);
    await official.subscribeResource({ uri: "file:///log" });

    await served.app.upstreams.get("up")!.restart("test");
    await until("the change that may have been missed is reported", () => got.length > 0);
    got.length = 0;
    await touch("file:///log");

    await until("it hears of updates again", () => got.length > 0);
  });

test("a storm of updates becomes few notifications", async (t) => {
  const served = await open(t);
  const { official, got, touch } = await session(served);
  await official.subscribeResource({ uri: "file:///log" });
  await official.subscribeResource({ uri: "file:///more" });

  await touch("file:///log", 2000);
  await touch("file:///more");
  await until("the last one came", () => got.includes("file:///more"));

  assert.ok(got.length < 100, `${got.length} notifications`);
});

test("an update of a part of a resource is reported as that part", async (t) => {
  const served = await open(t);
  const { official, got, touch } = await session(served);
  await official.subscribeResource({ uri: "via://up/file:///log" });

  await touch("file:///log/today/1");
  await touch("file:///logs");
  await until("it heard of it", () => got.length > 0);

  assert.deepEqual(got, ["via://up/file:///log/today/1"]);
});

test("a client that lost access to a resource hears nothing more, and is not subscribed any more", async (t) => {
  const served = await open(t);
  const { official, got, touch } = await session(served);
  await official.subscribeResource({ uri: "file:///log" });
  await official.subscribeResource({ uri: "file:///more" });

  served.change(served.items.map((item) => ({ ...item, disabled: item.name === "file:///log" })));
  await touch("file:///log");
  await touch("file:///more");
  await until("the other one is reported", () => got.length > 0);
  await until("the subscription ended", () => served.app.part(resourceSubscriptions).counts().resources === 1);

  assert.deepEqual(got, ["file:///more"]);
});

/** What a session is refused, by what it asks for. */
const REFUSALS = [
  ["a URI that leads to no server", "none://x", -32002, /Resource not found/],
  ["a URI of a server that is not there", "via://gone/file:///x", -32002, /Resource not found/],
  [
    "a resource that the server does not let subscribe to",
    "via://mute/file:///readme",
    -32601,
    /read the resource again/,
  ],
] as const;
for (const [what, uri, code, message] of REFUSALS)
  test(`a subscription to ${what} is refused`, async (t) => {
    const args = ["test/programs/upstream-items.mjs"];
    const mute = { name: "mute", command: process.execPath, args, trust_mode: "auto" as const };
    const served = await serve(t, { servers: [mute], connect: true });
    knowItems(served.app, [{ kind: "resource", server: "mute", name: "file:///readme" }]);
    const { official } = await session(served);

    await assert.rejects(official.subscribeResource({ uri }), (error: Error & { code: number }) => {
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
    assert.equal(served.app.part(resourceSubscriptions).counts().subscribers, 0);
  });

test("subscriptions of one client are bounded", async (t) => {
  const served = await open(t);
  const { official } = await session(served);
  const ask = (i: number) => official.subscribeResource({ uri: `via://up/file:///log/${i}` });

  await Promise.all(Array.from({ length: 256 }, (_, i) => ask(i)));

  await assert.rejects(ask(256), /may be subscribed to 256 resources; unsubscribe from one first/);
});

test("updates while a session has no stream open are kept for the next one", async (t) => {
  const served = await open(t);
  const { touch } = await session(served);
  const opened = await served.post(INITIALIZE, { path: "/mcp/all" });
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
  const params = { uri: "file:///log" };
  await served.post({ jsonrpc: "2.0", id: 2, method: "resources/subscribe", params }, { path: "/mcp/all", headers });
  await touch("file:///log");
  // Longer than updates are gathered: nothing shows from outside that it is kept.
  await sleep(200);

  const stream = await fetch(`${served.url}/mcp/all`, { headers: { ...headers, accept: "text/event-stream" } });
  const reader = stream.body!.getReader();
  let text = "";
  while (!text.includes("resources/updated")) text += Buffer.from((await reader.read()).value!).toString();
  await reader.cancel();

  assert.match(text, /"uri":"file:\/\/\/log"/);
});
