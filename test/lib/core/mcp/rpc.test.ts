import assert from "node:assert/strict";
import { test } from "node:test";
import { readClientMessage, rpcErrorText, rpcResultText } from "#lib/core/mcp/rpc.ts";

test("a message is a request, a notification, a response or an error that says what is wrong (spec 001 §7)", () => {
  const rows: [unknown, object][] = [
    [
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { kind: "request", id: 1, method: "ping", params: {} },
    ],
    [
      { id: "a", method: "ping", params: { x: 1 } },
      { kind: "request", id: "a", method: "ping", params: { x: 1 } },
    ],
    [
      { jsonrpc: "2.0", method: "n" },
      { kind: "notification", method: "n", params: {} },
    ],
    [
      { jsonrpc: "2.0", id: 1, result: {} },
      { kind: "response", id: 1, said: { result: {} } },
    ],
    [
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no", data: 1 } },
      { kind: "response", id: 1, said: { error: { code: 1, message: "no" } } },
    ],
    [
      { jsonrpc: "2.0", id: {}, result: 7 },
      { kind: "response", id: null, said: { error: { code: -32603, message: "the client gave no answer" } } },
    ],
  ];
  for (const [message, read] of rows) assert.deepEqual(readClientMessage(message), read);
});

test("what is no message is refused with the id it had and the right code", () => {
  const rows: [unknown, unknown, number, RegExp][] = [
    [null, null, -32600, /object/],
    ["ping", null, -32600, /object/],
    [[], null, -32600, /object/],
    [{ jsonrpc: "1.0", id: 4, method: "ping" }, 4, -32600, /jsonrpc/],
    [{ jsonrpc: "2.0", id: 4 }, 4, -32600, /method/],
    [{ jsonrpc: "2.0", id: 4, method: 7 }, 4, -32600, /method/],
    [{ jsonrpc: "2.0", id: 4, method: "ping", params: [1] }, 4, -32602, /params/],
    [{ jsonrpc: "2.0", id: 4, method: "ping", params: null }, 4, -32602, /params/],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, null, -32600, /id/],
    [{ jsonrpc: "2.0", id: {}, method: "ping" }, null, -32600, /id/],
    [{ jsonrpc: "2.0", id: 2 ** 60, method: "ping" }, null, -32600, /id/],
  ];
  for (const [message, id, code, text] of rows) {
    const read = readClientMessage(message);
    assert.ok(read.kind === "invalid", JSON.stringify(message));
    assert.deepEqual([read.id, read.error.code], [id, code]);
    assert.match(read.error.message, text);
  }
});

test("an id comes back as it was, strings escaped", () => {
  for (const id of [0, -1, 1.5, 7, "", 'a"b', "\u2028", "é"]) {
    assert.equal(JSON.parse(rpcResultText(id, "{}")).id, id);
    assert.equal(JSON.parse(rpcErrorText(id, { code: 1, message: "" })).id, id);
  }
});

test("a result's own text is passed on unchanged", () => {
  const raw = '{"n":1.0e2, "big":12345678901234567890,\n"k":"\\u0041"}';
  assert.ok(rpcResultText(1, raw).includes(raw));
});
