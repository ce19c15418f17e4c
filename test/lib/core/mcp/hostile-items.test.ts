import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { serve, textOf } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

/** A proxy in front of a hostile server and a peaceful one, and a client of it. */
async function open(t: TestContext, how: string) {
  const program = (name: string, ...args: string[]) => ({
    name,
    command: process.execPath,
    args,
    trust_mode: "auto" as const,
  });
  const servers = [
    program("bad", "test/programs/upstream-hostile-items.mjs", how),
    program("good", "test/programs/upstream-items.mjs"),
  ];
  const served = await serve(t, { servers, connect: true });
  const official = await served.client("/mcp/all");
  await until("the peaceful one is listed", () => served.app.catalog.items.of("good", "resource").length > 0);
  const read = async (uri: string) => (await official.readResource({ uri })).contents;
  return { ...served, official, read };
}

/** How each hostile list is refused, in the server's log. */
const LISTS = [
  ["endless", /resources\/list has more than 1000 pages/],
  ["loop", /resources\/list returns the cursor "1" twice/],
] as const;
for (const [how, expected] of LISTS)
  test(`a list of resources that is ${how === "loop" ? "a loop" : how} is refused, and tools and other servers go on`, async (t) => {
    const { app, official, read } = await open(t, how);
    const log = async () => (await app.serverLogs.tail("bad", 100)).map(({ message }) => message).join("\n");

    await until("it is refused", async () => expected.test(await log()));
    const { resources } = await official.listResources();

    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ["via://good/file:///readme"],
    );
    assert.equal(textOf(await official.callTool({ name: "bad__hi", arguments: {} })), "hi");
    assert.equal((await read("via://good/file:///readme")).length, 1);
  });

test("resources of every scheme are read from their own server alone, and never opened by the proxy", async (t) => {
  const { app, official, read } = await open(t, "schemes");
  await until("they are listed", () => app.catalog.items.of("bad", "resource").length > 5);
  const uris = (await official.listResources()).resources.map(({ uri }) => uri).filter((uri) => !uri.includes("good"));

  assert.ok(uris.length >= 8 && uris.every((uri) => uri.startsWith("via://bad/")), uris.join("\n"));
  for (const uri of uris) {
    const [content] = await read(uri);
    assert.deepEqual(content, { uri, text: `read ${uri.slice("via://bad/".length)}` });
  }
  await assert.rejects(read("file:///etc/shadow"), /Resource not found/);
});

test("a resource of 100 MB is refused with its limit, and the server and others go on", async (t) => {
  const { official, read } = await open(t, "huge");

  await assert.rejects(read("via://bad/file:///it"), /larger than the maximum of 67108864/);

  assert.equal(textOf(await official.callTool({ name: "bad__hi", arguments: {} })), "hi");
  assert.equal((await read("via://good/file:///readme")).length, 1);
});

test("links between resources are passed on and not followed", async (t) => {
  const { read } = await open(t, "links");

  assert.deepEqual(
    (await read("via://bad/file:///it")).map(({ uri }) => uri),
    ["via://bad/file:///it", "via://bad/file:///it/more"],
  );
});

test("a storm of updates and log messages stays bounded, and other servers answer meanwhile", async (t) => {
  const { official, read } = await open(t, "storm");
  let updates = 0;
  let logs = 0;
  official.setNotificationHandler(ResourceUpdatedNotificationSchema, () => void updates++);
  official.setNotificationHandler(LoggingMessageNotificationSchema, () => void logs++);

  await official.subscribeResource({ uri: "via://bad/file:///it" });
  await until("it began", () => updates > 0);
  const began = performance.now();
  for (let i = 0; i < 20; i++) await read("via://good/file:///readme");
  const tookMs = performance.now() - began;
  await until("its server answers again", async () => {
    const { content } = await official.callTool({ name: "bad__hi", arguments: {} });
    return content !== undefined;
  });

  assert.ok(tookMs < 15_000, `20 reads took ${tookMs} ms`);
  assert.ok(updates < 20_000 && logs < 5000, `${updates} updates, ${logs} log messages`);
});
