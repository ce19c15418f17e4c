import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { tools } from "#handlers/mcp.gen.ts";
import { serveStdio } from "#lib/daemon/stdio.ts";
import { type TestApp, testApp } from "#test/kit/app.ts";
import { newerOver } from "#test/kit/asked-client.ts";
import { bridge, socketProxy } from "#test/kit/bridge.ts";
import { able, newer } from "#test/kit/era.ts";
import { ready } from "#test/kit/mcp.ts";
import { rawStream, streamTransport } from "#test/kit/stream-transport.ts";
import { until } from "#test/kit/until.ts";

interface Streams {
  readonly app: TestApp;
  readonly input: PassThrough;
  readonly output: PassThrough;
}

const entry = (name: string, program: string, ...flags: string[]) => ({
  name,
  command: process.execPath,
  args: [`test/programs/${program}.mjs`, ...flags],
  trust_mode: "auto" as const,
});
const SERVERS = {
  items: entry("items", "upstream-items"),
  live: entry("live", "upstream-live", "2", "stdio"),
  "old-live": entry("old-live", "upstream-live", "1", "stdio"),
  old: entry("old", "upstream-sdk", "1", "stdio", "both", "asks"),
  new: entry("new", "upstream-sdk", "2", "stdio", "modern", "asks"),
  tasks: entry("tasks", "conformance-upstream", "--era", "modern"),
};

/** The two ways in for a client that starts a program. */
const WAYS: Record<string, (t: TestContext, ...names: (keyof typeof SERVERS)[]) => Promise<Streams>> = {
  async "serve --stdio"(t, ...names) {
    const app = await testApp({ connect: true, servers: names.map((name) => SERVERS[name]) });
    for (const name of names) await ready(app, name);
    const [input, output] = [new PassThrough(), new PassThrough()];
    const over = serveStdio(app, { mode: "direct", tools, input, output });
    t.after(async () => {
      input.destroy();
      await over;
      await app.close();
    });
    return { app, input, output };
  },
  async bridge(t, ...names) {
    const servers = names.map((name) => SERVERS[name]);
    const { app, target } = await socketProxy(t, { servers, connect: true }, "/mcp/all");
    const { input, output } = bridge(t, target);
    return { app, input, output };
  },
};

for (const [way, start] of Object.entries(WAYS)) {
  test(`2026-07-28 over ${way}: prompts, resources, templates and completion`, async (t) => {
    const streams = await start(t, "items");
    await until(
      "the items are listed",
      () => streams.app.catalog.items.get("template", "items", "note://{id}") !== undefined,
    );
    const { client } = await newerOver(streamTransport(streams));

    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const { prompts } = await client.listPrompts();
    const read = await client.readResource({ uri: "via://items/note://7" });
    const prompt = await client.getPrompt({ name: "items__review", arguments: { style: "short" } });
    const argument = { name: "style", value: "s" };
    const completed = await client.complete({ ref: { type: "ref/prompt", name: "items__review" }, argument });
    const uri = "via://items/note://{id}";
    const ids = await client.complete({ ref: { type: "ref/resource", uri }, argument: { name: "id", value: "1" } });

    assert.deepEqual(
      [
        resources.map((one) => one.uri),
        resourceTemplates.map((one) => one.uriTemplate),
        prompts.map((one) => one.name),
      ],
      [["via://items/file:///readme"], [uri], ["items__review"]],
    );
    assert.deepEqual(read.contents, [{ uri: "via://items/note://7", text: "note 7" }]);
    assert.deepEqual(prompt.messages[0]?.content, { type: "text", text: "review short" });
    assert.deepEqual([completed.completion.values, ids.completion.values], [["s!"], ["11", "12"]]);
    await assert.rejects(client.readResource({ uri: "via://items/none://1" }), /not found/i);
    await client.close();
  });

  test(`2026-07-28 over ${way}: log messages of the requests that ask for them`, async (t) => {
    const { client } = await newerOver(streamTransport(await start(t, "live", "old-live")));
    const got: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void got.push(params));

    for (const server of ["live", "old-live"]) {
      const say = (text: string, level?: string) =>
        client.callTool({
          name: `${server}__say`,
          arguments: { level: "warning", text },
          ...(level && { _meta: { "io.modelcontextprotocol/logLevel": level } }),
        });
      await say("not asked for");
      await say("too mild", "error");
      await say("asked for", "info");
    }

    await until("both arrived", () => got.length === 2);
    assert.deepEqual(got, [
      { level: "warning", logger: "live:tool", data: "asked for" },
      { level: "warning", logger: "old-live:tool", data: "asked for" },
    ]);
    await client.close();
  });

  test(`2026-07-28 over ${way}: a subscription reports updates of resources and changes of lists`, async (t) => {
    const streams = await start(t, "live", "old-live");
    const { app } = streams;
    const servers = ["live", "old-live"];
    await until("the resources are listed", () =>
      servers.every((server) => app.catalog.items.get("resource", server, "file:///log")),
    );
    const { client } = await newerOver(streamTransport(streams));
    const got: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void got.push(params.uri));
    client.setNotificationHandler("notifications/tools/list_changed", () => void got.push("tools"));

    const uris = servers.map((server) => `via://${server}/file:///log`);
    const subscription = await client.listen({ resourceSubscriptions: uris, toolsListChanged: true });
    for (const server of servers)
      await client.callTool({ name: `${server}__touch`, arguments: { uri: "file:///log" } });
    await until("both updates are reported", () => got.length === 2);
    await app.config.update((draft) => {
      draft.mcpServers[0]!.disabled_tools = ["say"];
    }, "a test");
    await until("the change is reported", () => got.length === 3);

    assert.deepEqual(got.toSorted(), ["tools", ...uris].toSorted());
    await subscription.close();
    await client.close();
  });

  test(`2026-07-28 over ${way}: questions of tools, prompts and resources`, async (t) => {
    const streams = await start(t, "old", "new");
    await until("the templates are listed", () =>
      ["old", "new"].every((server) => streams.app.catalog.items.get("template", server, "ask://{kind}")),
    );
    const asked = await newerOver(streamTransport(streams));

    for (const server of ["old", "new"])
      for (const thing of ["tool", "prompt", "resource"] as const)
        for (const kind of ["form", "url", "sampling", "roots"]) {
          const row = `${server}, ${thing}, ${kind}`;
          asked.seen.length = 0;
          const said = await asked.ask(thing, server, kind).catch((error) => assert.fail(`${row}: ${error}`));
          assert.match(JSON.stringify(said), /accept|file:\/\/\/work|"4"/, row);
          assert.equal(asked.seen.length, 1, row);
        }
    await asked.close();
  });

  test(`2026-07-28 over ${way}: a task is made, listened for, answered and looked at`, async (t) => {
    const { send, answer, messages } = rawStream(await start(t, "tasks"));
    const capabilities = able({ elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } });
    const request = async (id: string, method: string, params: object) => {
      send(newer(method, { ...params, ...capabilities }, id).message);
      return (await answer(id)).result;
    };
    const reported = () => messages().filter(({ method }) => method === "notifications/tasks");

    const { taskId } = await request("call", "tools/call", {
      name: "tasks__confirm_delete",
      arguments: { filename: "f" },
    });
    const filter = { notifications: { taskIds: [taskId] } };
    send(newer("subscriptions/listen", { ...filter, ...capabilities }, "listen").message);
    await until("the question is reported", () => reported().length > 0);
    const inputResponses = { confirm: { action: "accept", content: { confirm: true } } };
    await request("update", "tasks/update", { taskId, inputResponses });
    await until("the end is reported", () => reported().at(-1).params.status === "completed");
    const { status } = await request("get", "tasks/get", { taskId });
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "listen" } });

    assert.equal(reported()[0].params.inputRequests.confirm.params.message, "[tasks] Delete f?");
    assert.equal(status, "completed");
  });
}
