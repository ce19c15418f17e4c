import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import type { McpObject } from "#lib/core/schema/mcp.ts";
import { serveDemo } from "#lib/modules/demo/server.ts";
import { handClock } from "#test/kit/clock.ts";

/** A running demo server with its lines at hand. */
function start(t: TestContext) {
  const [input, output, clock] = [new PassThrough(), new PassThrough(), handClock()];
  const received: McpObject[] = [];
  const waiting = new Set<() => void>();
  output.setEncoding("utf8").on("data", (text: string) => {
    for (const line of text.split("\n").filter(Boolean)) received.push(JSON.parse(line));
    for (const wake of waiting) wake();
  });
  const ended = serveDemo({ input, output, version: "1.2.3", clock });
  t.after(() => input.end());
  const send = (message: unknown) =>
    input.write(
      typeof message === "string" ? message : `${JSON.stringify({ jsonrpc: "2.0", ...(message as object) })}\n`,
    );
  const answerTo = async (id: number | null): Promise<McpObject> => {
    for (;;) {
      const found = received.find((m) => m.id === id);
      if (found) return found;
      await new Promise<void>((done) => waiting.add(done));
    }
  };
  let lastId = 0;
  const ask = (method: string, params: McpObject = {}) => {
    send({ id: ++lastId, method, params });
    return answerTo(lastId);
  };
  const callTool = async (name: string, args: McpObject = {}) =>
    (await ask("tools/call", { name, arguments: args })).result as {
      content: { text: string }[];
      structuredContent?: McpObject;
      isError?: boolean;
    };
  return { input, clock, received, ended, send, ask, answerTo, callTool };
}

test("the demo server answers initialize with the asked revision, or its newest", async (t) => {
  const { ask } = start(t);

  const old = (await ask("initialize", { protocolVersion: "2025-03-26" })).result as McpObject;
  const odd = (await ask("initialize", { protocolVersion: "1999-01-01" })).result as McpObject;

  assert.equal(old.protocolVersion, "2025-03-26");
  assert.equal(odd.protocolVersion, "2025-11-25");
  assert.deepEqual((old.serverInfo as McpObject).version, "1.2.3");
});

test("every demo tool says honestly what it does", async (t) => {
  const { tools } = (await start(t).ask("tools/list")).result as { tools: { name: string; annotations: McpObject }[] };

  const destructive = tools.filter((x) => x.annotations.destructiveHint === true).map((x) => x.name);
  const readOnly = tools.filter((x) => x.annotations.readOnlyHint === true).map((x) => x.name);
  assert.deepEqual(destructive, ["notebook_remove", "notebook_clear"]);
  assert.deepEqual(readOnly, [
    "notebook_list",
    "notebook_search",
    "calculator",
    "clock_now",
    "text_stats",
    "unit_convert",
    "countdown",
  ]);
});

test("notes are written, found by word and tag, and removed", async (t) => {
  const { callTool } = start(t);

  await callTool("notebook_add", { text: "Buy milk", tags: ["shop"] });
  await callTool("notebook_add", { text: "Call Ada" });

  assert.match((await callTool("notebook_search", { query: "MILK shop" })).content[0]!.text, /^#1 Buy milk \[shop\]/);
  assert.match((await callTool("notebook_list", { tag: "shop" })).content[0]!.text, /^#1 [^#]*$/);
  assert.equal((await callTool("notebook_remove", { id: 1 })).content[0]!.text, "note #1 removed");
  assert.equal((await callTool("notebook_clear")).content[0]!.text, "1 note removed");
  assert.equal((await callTool("notebook_list")).content[0]!.text, "no notes");
});

test("a tool with an output schema answers structured content and the same as text", async (t) => {
  const { callTool } = start(t);

  const stats = await callTool("text_stats", { text: "One two. Three!\nFour" });

  assert.deepEqual(stats.structuredContent, { characters: 20, words: 4, lines: 2, sentences: 3 });
  assert.deepEqual(JSON.parse(stats.content[0]!.text), stats.structuredContent);
});

test("wrong arguments are a tool error that names the argument", async (t) => {
  const { callTool } = start(t);

  const refused = await callTool("calculator", { expression: 7 });

  assert.equal(refused.isError, true);
  assert.match(refused.content[0]!.text, /^expression: /);
  assert.match((await callTool("clock_now", { timezone: "Mars/Base" })).content[0]!.text, /unknown time zone/);
});

test("a slow tool reports progress under the caller's token", async (t) => {
  const { ask, clock, received } = start(t);

  const answer = ask("tools/call", { name: "countdown", arguments: { seconds: 2 }, _meta: { progressToken: "p" } });
  await clock.advance(2000);

  assert.deepEqual((await answer).result, { content: [{ type: "text", text: "waited 2 s" }] });
  const steps = received.filter((m) => m.method === "notifications/progress").map((m) => m.params as McpObject);
  assert.deepEqual(
    steps.map((p) => [p.progressToken, p.progress, p.total]),
    [
      ["p", 0, 2],
      ["p", 1, 2],
      ["p", 2, 2],
    ],
  );
});

test("a cancelled call ends without an answer and the next one is served", async (t) => {
  const { send, ask, clock, received } = start(t);

  send({ id: 99, method: "tools/call", params: { name: "countdown" } });
  await clock.advance(1000);
  send({ method: "notifications/cancelled", params: { requestId: 99 } });
  await ask("ping");
  await clock.advance(60_000);

  assert.equal(
    received.some((m) => m.id === 99),
    false,
  );
});

test("garbage, unknown methods and unknown tools are JSON-RPC errors", async (t) => {
  const { send, ask, answerTo } = start(t);

  send("{nonsense\n");

  assert.equal(((await answerTo(null)).error as McpObject).code, -32700);
  assert.equal(((await ask("sampling/createMessage")).error as McpObject).code, -32601);
  assert.equal(((await ask("tools/call", { name: "constructor" })).error as McpObject).code, -32602);
});

test("the server ends with its input", async (t) => {
  const { input, ended, send } = start(t);
  send({ id: 1, method: "tools/call", params: { name: "countdown" } });

  input.end();

  await ended;
});

test("the notebook is a resource, each note is one of a template, and a prompt holds all notes", async (t) => {
  const { ask, callTool } = start(t);
  await callTool("notebook_add", { text: "Buy milk" });
  await callTool("notebook_add", { text: "Call Ada" });
  const read = async (uri: string) => {
    const { result, error } = await ask("resources/read", { uri });
    return error ? (error as McpObject).code : (result as { contents: { text: string }[] }).contents[0]!.text;
  };

  assert.match(String(await read("notes://all")), /^#1 Buy milk .*\n#2 Call Ada /);
  assert.match(String(await read("notes://note/2")), /^#2 Call Ada [^\n]*$/);
  assert.equal(await read("notes://note/3"), -32002);
  assert.equal(await read("file:///etc/passwd"), -32002);

  const prompt = (await ask("prompts/get", { name: "summarise_notes", arguments: { topic: "food" } })).result as {
    messages: { content: { text: string } }[];
  };
  assert.match(prompt.messages[0]!.content.text, /Keep to this topic: food\.\n\n#1 Buy milk/);
  assert.equal(((await ask("prompts/get", { name: "other" })).error as McpObject).code, -32602);
});
