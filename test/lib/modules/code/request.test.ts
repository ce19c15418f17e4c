import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { readRequest } from "#lib/modules/code/request.ts";

test("a request is read with its defaults (spec 001 §2.3)", () => {
  assert.deepEqual(readRequest({ code: "1" }), { code: "1", input: {}, allowedServers: [] });
  assert.deepEqual(
    readRequest({
      script: "s",
      language: "typescript",
      input: { a: 1 },
      options: { timeout_ms: 600000, max_tool_calls: 0, allowed_servers: ["x"] },
    }),
    { script: "s", language: "typescript", input: { a: 1 }, timeoutMs: 600000, maxToolCalls: 0, allowedServers: ["x"] },
  );
});

test("each fault of a request has its code and says what to do (spec 001 §7)", () => {
  const rows: [unknown, string, RegExp][] = [
    [null, "code_request", /JSON object/],
    [[], "code_request", /JSON object/],
    [{}, "code_request", /exactly one of "code" and "script"; neither/],
    [{ code: "1", script: "s" }, "code_request", /not both/],
    [{ code: 1 }, "code_request", /code must be a string/],
    [{ script: {} }, "code_request", /script must be a string/],
    [{ code: "1", language: "python" }, "code_language", /not "python"/],
    [{ code: "1", language: null }, "code_language", /language must be/],
    [
      { code: "1", options: { timeout: 5 } },
      "code_options",
      /options\.timeout: unknown field; .*did you mean timeout_ms/,
    ],
    [{ code: "1", input: [] }, "code_request", /input must be an object/],
    [{ code: "1", input: "x" }, "code_request", /input must be an object/],
    [{ code: "1", options: 1 }, "code_options", /options must be an object/],
    [{ code: "1", options: { timeout_ms: 0 } }, "code_options", /1 to 600000/],
    [{ code: "1", options: { timeout_ms: 600001 } }, "code_options", /1 to 600000/],
    [{ code: "1", options: { timeout_ms: 1.5 } }, "code_options", /whole number/],
    [{ code: "1", options: { timeout_ms: "1" } }, "code_options", /whole number/],
    [{ code: "1", options: { max_tool_calls: -1 } }, "code_options", /at least 0/],
    [{ code: "1", options: { allowed_servers: "x" } }, "code_options", /array of strings/],
    [{ code: "1", options: { allowed_servers: [1] } }, "code_options", /array of strings/],
  ];
  for (const [body, code, message] of rows)
    assert.throws(
      () => readRequest(body),
      (e: unknown) => {
        assert.ok(e instanceof Fault, JSON.stringify(body));
        assert.equal(e.code, code, JSON.stringify(body));
        assert.match(e.message, message);
        return true;
      },
    );
});
