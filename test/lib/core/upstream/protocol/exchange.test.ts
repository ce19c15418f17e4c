import assert from "node:assert/strict";
import { test } from "node:test";
import { Exchange } from "#lib/core/upstream/protocol/exchange.ts";
import type { OutgoingText, Transport } from "#lib/core/upstream/transport.ts";
import { handClock } from "#test/kit/clock.ts";

const turn = () => new Promise<void>((done) => setImmediate(done));

function open(fault: (line: string) => void = assert.fail) {
  const hooks = { notification() {}, closed() {}, sessionLost() {}, resumed() {}, fault };
  const exchange = new Exchange("one", handClock(), hooks);
  exchange.attach({ kind: "http", send() {}, forget() {} } as unknown as Transport);
  return exchange;
}

const listingOf = (id: number, description: string) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [{ name: "call", description }] } });

test("listings that arrive together are read in a turn of the event loop each, and in their order", async () => {
  const exchanges = Array.from({ length: 8 }, () => open());
  const seen: string[] = [];
  const listed = exchanges.map(async (exchange, i) => {
    const { result } = await exchange.request("tools/list", {}, { timeoutMs: 1000 });
    seen.push(String(i));
    return result;
  });

  for (const exchange of exchanges) exchange.message(listingOf(1, "x".repeat(20_000)));
  while (seen.filter((what) => what !== "turn").length < exchanges.length) {
    await turn();
    seen.push("turn");
  }

  assert.deepEqual(
    seen.filter((what) => what !== "turn"),
    exchanges.map((_, i) => String(i)),
  );
  for (let i = 1; i < exchanges.length; i++)
    assert.ok(seen.slice(seen.indexOf(String(i - 1)), seen.indexOf(String(i))).includes("turn"), seen.join());
  assert.deepEqual((await listed[7]) as unknown, { tools: [{ name: "call", description: "x".repeat(20_000) }] });
});

test("an answer to another request, and a small listing, are read at once", async () => {
  const exchange = open();
  const small = exchange.request("tools/list", {}, { timeoutMs: 1000 });
  const other = exchange.request("tools/call", {}, { timeoutMs: 1000 });
  let read = 0;
  for (const answer of [small, other]) void answer.then(() => read++);

  exchange.message(listingOf(1, "x"));
  exchange.message(listingOf(2, "x".repeat(20_000)));
  await Promise.all([small, other]);

  assert.equal(read, 2);
});

test("a listing of more than a few tools that is no result, nested too deep or no JSON fails with the reason", async () => {
  const long = "x".repeat(20_000);
  const rows: [string, RegExp][] = [
    [`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"${long}"]}}`, /its response to tools\/list is not JSON/],
    [
      `{"jsonrpc":"2.0","id":1,"result":{"name":"${long}","tools":${'{"a":'.repeat(300)}1${"}".repeat(300)}}}`,
      /nested deeper than 200 levels/,
    ],
  ];
  for (const [text, reason] of rows) {
    const exchange = open();
    const answer = exchange.request("tools/list", {}, { timeoutMs: 1000 });
    exchange.message(text);
    await assert.rejects(answer, reason);
  }
});

test("a damaged answer fails its request at once; a damaged message of another kind fails none", async () => {
  const faults: string[] = [];
  const exchange = open((line) => faults.push(line));
  const asked = exchange.request("tools/call", {}, { timeoutMs: 1000 });
  const other = exchange.request("tools/call", {}, { timeoutMs: 1000 });
  const failure = assert.rejects(asked, /its response is not a JSON-RPC message/);

  exchange.message('{"jsonrpc":"2.0","id":2,"method":"ping","params":{]}');
  exchange.message('garbage {"jsonrpc":"2.0","id":2,"result":{}');
  assert.equal(exchange.message('{"jsonrpc":"2.0","id":1,"result":{"content":[ garbage'), true);
  await failure;
  exchange.message('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');

  assert.deepEqual((await other).result as unknown, { content: [] });
  assert.equal(faults.length, 3);
});

/** An exchange, and what it sends. */
function recorded() {
  const exchange = open();
  const sent: string[] = [];
  const send = (text: OutgoingText) =>
    sent.push(typeof text === "string" ? text : Buffer.concat(text.pieces).toString());
  exchange.attach({ kind: "http", send, forget() {} } as unknown as Transport);
  return { exchange, sent };
}

test("a large request is sent in later turns of the event loop, as it is, while small ones overtake it", async () => {
  const { exchange, sent } = recorded();
  const params = { name: "call", arguments: { text: "word ".repeat(100_000) } };

  const answers = [params, {}].map((given) => exchange.request("tools/call", given, { timeoutMs: 1000 }));
  while (sent.length < 2) await turn();
  for (const id of [1, 2]) exchange.message(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
  await Promise.all(answers);

  assert.deepEqual(
    sent.map((text) => JSON.parse(text) as unknown),
    [
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: {} },
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    ],
  );
});

test("a large request whose caller leaves before it is sent is never sent, and so not cancelled either", async () => {
  const { exchange, sent } = recorded();
  const caller = new AbortController();
  const params = { name: "call", arguments: { text: "word ".repeat(100_000) } };

  const answer = exchange.request("tools/call", params, { timeoutMs: 1000, signal: caller.signal });
  caller.abort();
  await assert.rejects(answer, { code: "cancelled" });
  for (let i = 0; i < 50; i++) await turn();

  assert.deepEqual(sent, []);
});
