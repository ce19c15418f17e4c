import assert from "node:assert/strict";
import { test } from "node:test";
import { readLargeMessage } from "#lib/core/upstream/large-message.ts";
import { readUpstreamMessage } from "#lib/core/upstream/protocol/upstream-message.ts";
import { callTool, startProgram, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

const LONG = "word \\n€ ".repeat(50_000);
const rows = JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id, name: `row "${id}"`, on: [true, null] })));
const deep = `${'{"a":'.repeat(201)}1${"}".repeat(201)}`;
const result = `{"content":[{"type":"text","text":"${LONG}"}],"structuredContent":{"rows":${rows}}}`;

function readWhole(text: string) {
  const steps = readLargeMessage(text);
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done) return { message: step.value, pauses };
  }
}

test("a large message that is read in pieces is what it is when it is read as one", () => {
  for (const text of [
    `{"jsonrpc":"2.0","id":7,"result":${result}}`,
    `{"result":${result},"jsonrpc":"2.0","id":7}`,
    `{\r\n "id" : "7",\n "result" : ${JSON.stringify(JSON.parse(result), null, 2)} ,"extra":[1,{}]\n}\n`,
    `{"id":1,"result":1,"result":${result}}`,
    `{"id":1,"result":${rows}}`,
    `{"id":1,"result":${deep}}`,
    `{"result":{"x":${rows},"y":${deep}},"id":1}`,
    `{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"${LONG}","data":${rows}}}`,
    `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"${LONG}"}}`,
    `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${LONG}"}}`,
    `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"data":"${LONG}"}}`,
    `[{"jsonrpc":"2.0","id":1,"result":${result}},{"jsonrpc":"2.0","method":"notifications/x"}]`,
  ]) {
    const { message, pauses } = readWhole(text);
    assert.deepEqual(message, readUpstreamMessage(text), text.slice(0, 80));
    assert.ok(pauses > 0 || text.length < 10_000, text.slice(0, 80));
  }
});

test("an error that is nested too deep is an error all the same", () => {
  const { message } = readWhole(`{"id":3,"error":{"code":1,"message":"${LONG}","data":${deep}}}`);

  assert.equal(message.kind, "error");
  assert.match(message.kind === "error" ? message.error.message : "", /nested deeper than 200 levels/);
});

test("what is no message is refused, as it is for a small one", () => {
  for (const text of [
    `{"id":7,"result":${result}`,
    `{"id":7,"result":${result}} {}`,
    `{"id":7,"other":${result}}`,
    `{"result":${result}}`,
    `"${LONG}"`,
    `[{"id":1,"result":${result}}`,
  ]) {
    assert.throws(() => readUpstreamMessage(text), SyntaxError, text.slice(-40));
    assert.throws(() => readWhole(text), SyntaxError, text.slice(-40));
  }
});

const MIB = 1 << 20;
const WAYS = [
  ["upstream-http.mjs", "streamable-http", []],
  ["upstream-http.mjs", "streamable-http", ["--response", "sse"]],
  ["upstream-sse.mjs", "sse", []],
] as const;

for (const [program, protocol, flags] of WAYS)
  test(`large answers arrive whole over ${protocol} ${flags.join(" ")}, but for the one whose caller has gone; small ones come through`, async () => {
    const started = await startProgram(program, ...flags);
    const all = testUpstreams({ servers: [{ name: "one", url: started.url, protocol }] });
    try {
      const one = all.upstream("one");
      await until("ready", () => one.status().state === "Ready");
      await answersWhole(one);
    } finally {
      await all.close();
      await started.kill();
    }
  });

test("large answers arrive whole over stdio, but for the one whose caller has gone; small ones come through", async () => {
  const all = testUpstreams({
    servers: [{ name: "one", command: process.execPath, args: ["test/programs/upstream-stdio.mjs"] }],
  });
  try {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready");
    await answersWhole(one);
  } finally {
    await all.close();
  }
});

async function answersWhole(one: ReturnType<ReturnType<typeof testUpstreams>["upstream"]>): Promise<void> {
  const gone = new AbortController();

  const large = Array.from({ length: 3 }, () => callTool(one, "big", { kb: 2048 }));
  const left = one.request(
    "tools/call",
    { name: "big", arguments: { kb: 2048 } },
    { timeoutMs: 120_000, signal: gone.signal },
  );
  const small = Array.from({ length: 20 }, () => callTool(one, "echo"));
  gone.abort();

  await assert.rejects(left, { code: "cancelled" });
  for (const reply of await Promise.all(large)) assert.equal(textOf(reply).length, 2 * MIB);
  for (const reply of await Promise.all(small)) assert.equal(textOf(reply), "{}");
}
