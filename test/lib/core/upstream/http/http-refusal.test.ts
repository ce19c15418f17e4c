import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionLost, StatusError } from "#lib/core/upstream/errors.ts";
import type { HttpHost } from "#lib/core/upstream/http/http-host.ts";
import { httpRefusal } from "#lib/core/upstream/http/http-refusal.ts";

// Only these members are read.
const host = { url: new URL("http://mcp.test/mcp"), proxy: undefined, bearer: undefined } as unknown as HttpHost;

const rpc = (code: number, message: string) => JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });

const SAMPLES: [from: string, status: number, body: string, isLost: boolean][] = [
  ["the protocol", 404, "", true],
  ["the TypeScript SDK", 404, rpc(-32001, "Session not found"), true],
  ["servers after the TypeScript SDK's example", 400, rpc(-32000, "Bad Request: No valid session ID provided"), true],
  ["the Python SDK", 400, rpc(-32600, "Bad Request: No valid session ID provided"), true],
  ["the Python SDK, after the end", 404, rpc(-32600, "Not Found: Session has been terminated"), true],
  ["a missing header", 400, rpc(-32000, "Bad Request: Mcp-Session-Id header is required"), true],
  ["another version", 400, rpc(-32000, "Bad Request: Unsupported protocol version"), false],
  ["a bad request", 400, rpc(-32602, "Invalid params"), false],
  ["a text that is no JSON-RPC error", 400, "no session", false],
  ["a failure", 500, rpc(-32603, "session store is down"), false],
];
for (const [from, status, body, isLost] of SAMPLES)
  test(`a refusal by ${from} (${status}) says that the session is ${isLost ? "unknown" : "not the reason"}`, () => {
    const answer = { status, challenge: undefined, body };

    assert.equal(httpRefusal(host, answer, 1) instanceof SessionLost, isLost);
    // A message without a session cannot have lost one.
    assert.ok(httpRefusal(host, answer, 0) instanceof StatusError);
  });
