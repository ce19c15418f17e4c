import assert from "node:assert/strict";
import { test } from "node:test";
import { memberText } from "#lib/core/upstream/protocol/member-text.ts";
import { readUpstreamMessage } from "#lib/core/upstream/protocol/upstream-message.ts";
import { effortMs } from "#test/kit/effort.ts";

const RESULTS: [what: string, raw: string][] = [
  ["an empty object", "{}"],
  ["text content", '{"content":[{"type":"text","text":"hi"}]}'],
  ["an integer no double can hold", '{"n":12345678901234567890123}'],
  ["a number with its own form", '{"n":1.0,"m":1e2,"k":-0}'],
  ["escapes as they were written", '{"t":"\\u0041\\/\\n\\"}{[","\\ud800":"\\\\"}'],
  ["the same key twice", '{"a":1,"a":2}'],
  ["white space inside", '{ "a" : [ 1 , 2 ] }'],
  ["brackets and quotes in strings", '{"a":"}]\\"{","b":"\\\\"}'],
  ["a string result", '"text"'],
  ["a number result", "17"],
  ["null", "null"],
  ["text that looks like the end of a frame", '{"t":",\\"jsonrpc\\":\\"2.0\\",\\"id\\":7}"}'],
  ["non-ASCII text", '{"t":"größe 日本 🚀"}'],
];
const FRAMES: [what: string, frame: (raw: string) => string][] = [
  ["the usual frame", (raw) => `{"jsonrpc":"2.0","id":7,"result":${raw}}`],
  ["the SDK's frame", (raw) => `{"result":${raw},"jsonrpc":"2.0","id":7}`],
  ["spaces everywhere", (raw) => `  { "jsonrpc" : "2.0" , "id" : 7 , "result" : ${raw} }\n`],
  ["another order", (raw) => `{"id":7,"result":${raw},"jsonrpc":"2.0"}`],
  ["a further member", (raw) => `{"jsonrpc":"2.0","id":7,"result":${raw},"extra":{"result":1}}`],
  ["a result given twice: the last counts", (raw) => `{"jsonrpc":"2.0","id":7,"result":{"x":0},"result":${raw}}`],
  ["a key written with escapes", (raw) => `{"jsonrpc":"2.0","id":7,"r\\u0065sult":${raw}}`],
];

for (const [frame, wrap] of FRAMES)
  test(`the text of a result is kept byte for byte: ${frame}`, () => {
    for (const [what, raw] of RESULTS) {
      const message = readUpstreamMessage(wrap(raw));

      assert.equal(message.kind, "result", what);
      assert.ok(message.kind === "result");
      assert.equal(message.id, 7, what);
      assert.equal(message.reply.raw, raw, what);
      assert.deepEqual(message.reply.result, JSON.parse(raw), what);
    }
  });

test("a text that only looks like the usual frame never yields a broken piece", () => {
  for (const text of [
    '{"jsonrpc":"2.0","id":1,"result":{},"result":{"a":1}}',
    '{"jsonrpc":"2.0","id":1,"result":1,"id":2}',
    '{"result":{},"jsonrpc":"2.0","id":1,"jsonrpc":"2.0","id":2}',
    '{"result":1,"result":2,"jsonrpc":"2.0","id":3}',
  ]) {
    const message = readUpstreamMessage(text);
    const whole = JSON.parse(text);

    assert.ok(message.kind === "result", text);
    assert.equal(message.id, whole.id, text);
    assert.deepEqual(JSON.parse(message.reply.raw), whole.result, text);
    assert.deepEqual(message.reply.result, whole.result, text);
  }
});

test("an error keeps code, message and data", () => {
  assert.deepEqual(
    readUpstreamMessage('{"jsonrpc":"2.0","id":3,"error":{"code":-32099,"message":"no","data":{"kept":true}}}'),
    {
      kind: "error",
      id: 3,
      error: { code: -32099, message: "no", data: { kept: true } },
    },
  );
  assert.deepEqual(readUpstreamMessage('{"error":{}}'), {
    kind: "error",
    id: null,
    error: { code: -32603, message: "error without a message" },
  });
});

test("requests and notifications are told apart by their id", () => {
  assert.deepEqual(readUpstreamMessage('{"jsonrpc":"2.0","id":"s1","method":"ping"}'), {
    kind: "request",
    id: "s1",
    method: "ping",
    params: {},
  });
  assert.deepEqual(readUpstreamMessage('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}'), {
    kind: "notification",
    method: "notifications/progress",
    params: { progress: 1 },
  });
});

test("a batch falls into the texts of its messages", () => {
  const message = readUpstreamMessage(' [ {"jsonrpc":"2.0","id":1,"result":1.0} , {"a":[1,2],"b":"]"} ] ');

  assert.deepEqual(message, { kind: "batch", texts: ['{"jsonrpc":"2.0","id":1,"result":1.0}', '{"a":[1,2],"b":"]"}'] });
  assert.deepEqual(readUpstreamMessage("[]"), { kind: "batch", texts: [] });
});

test("what is no message is a SyntaxError", () => {
  for (const text of [
    "",
    "hello",
    "17",
    "null",
    '"x"',
    "{",
    "{}",
    '{"id":1}',
    '{"jsonrpc":"2.0","id":1,"result":',
    '{"result":1}',
  ])
    assert.throws(() => readUpstreamMessage(text), SyntaxError, text);
});

test("a member's text is found whatever stands around it", () => {
  assert.equal(memberText('{"a":{"result":1},"result":[1,{"x":"]"}]}', "result"), '[1,{"x":"]"}]');
  assert.equal(memberText('{"result":1.50}', "result"), "1.50");
  assert.equal(memberText('{"result" : true }', "result"), "true");
  assert.equal(memberText("{}", "result"), undefined);
  assert.equal(memberText("[1]", "result"), undefined);
});

test("a large answer is read in linear time", () => {
  const item = '{"type":"text","text":"a \\"quoted\\" piece with } and ] in it"},';
  const raw = `{"content":[${item.repeat(100_000)}{}]}`;
  let message: ReturnType<typeof readUpstreamMessage> | undefined;

  const effort = effortMs(() => {
    message = readUpstreamMessage(`{"id":1,"jsonrpc":"2.0","result":${raw}}`);
  });

  assert.ok(message?.kind === "result" && message.reply.raw === raw);
  assert.ok(effort < 5000, `six megabytes took ${effort} ms`);
});
