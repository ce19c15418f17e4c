import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { traffic } from "#lib/core/extension/traffic.ts";
import { observeRequests } from "#lib/core/mcp/observe-requests.ts";
import type { ProtocolMethods } from "#lib/core/mcp/protocol-methods.ts";
import { rpcErrorText, rpcResultText } from "#lib/core/mcp/rpc.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

/** How a request is answered, and the error type that is reported. */
const ROWS: readonly [title: string, answer: ProtocolMethods, errorType: string | undefined][] = [
  ["a result at once", (_, { id }) => rpcResultText(id, "{}"), undefined],
  ["a result later", async (_, { id }) => rpcResultText(id, "{}"), undefined],
  ["an error", (_, { id }) => rpcErrorText(id, { code: -32602, message: "no" }), "-32602"],
  ["nothing, because it was cancelled", async () => undefined, "cancelled"],
  [
    "a defect at once",
    () => {
      throw new Error("defect");
    },
    "internal",
  ],
  ["a defect later", () => Promise.reject(new Error("defect")), "internal"],
];

for (const [title, answer, errorType] of ROWS)
  test(`a request that is answered with ${title} is reported once, and its span ends once`, async () => {
    const observers = traffic.open({} as App);
    const reported: (string | undefined)[] = [];
    const ended: (string | undefined)[] = [];
    observers.observe({ answered: (request) => reported.push(request.errorType), called() {} });
    observers.trace({
      begin: () => ({
        beginCall: () => assert.fail(),
        context: () => ({}),
        inherited: undefined,
        end: (type) => void ended.push(type),
      }),
      beginHttp: () => assert.fail(),
      beginCall: () => assert.fail(),
      traceIdOf: () => undefined,
    });
    const app = { part: () => observers } as unknown as App;
    const turn = { requester: { caller: { listener: "tcp" }, requestId: "r" }, session: undefined };

    const answerRequest = async () =>
      observeRequests(app, answer)(turn as never, { id: 1, method: "ping", params: {} } as never);
    await answerRequest().catch((error: Error) => assert.equal(error.message, "defect"));

    assert.deepEqual(reported, [errorType]);
    assert.deepEqual(ended, [errorType]);
  });

/** Serves a proxy whose requests of one method are observed. */
async function observed(t: TestContext) {
  const served = await serve(t, { servers: [program("up")], connect: true });
  const reported: { errorType: string | undefined; isCalled: boolean }[] = [];
  served.app.part(traffic).observe({
    answered({ method, errorType, upstreamMs }) {
      if (method === "tools/call") reported.push({ errorType, isCalled: upstreamMs !== undefined });
    },
    called() {},
  });
  return { ...served, reported };
}

const read = (name: string, args: object = {}) => toolCall("call_tool_read", { name, args });
const withParams = (params: object) => ({ jsonrpc: "2.0", id: 7, method: "tools/call", params });

/** A call, the error type that is reported, and whether the server is called. */
const CALLS: readonly [title: string, message: object, errorType: string | undefined, isCalled: boolean][] = [
  ["a result", read("up:echo"), undefined, true],
  ["a result with isError", read("up:raw", { json: '{"content":[],"isError":true}' }), "tool_error", true],
  ["an error of the server", read("up:rpc_error", { message: "no" }), "-32099", true],
  ["a refusal", read("up:none"), "tool_error", false],
  ["the name of no tool", toolCall("no_such_tool"), "-32602", false],
  ["no name", withParams({ name: 5 }), "-32602", false],
  ["arguments that are no object", withParams({ name: "call_tool_read", arguments: 1 }), "-32602", false],
  ["metadata that is no object", withParams({ name: "call_tool_read", _meta: 1 }), "-32602", false],
];

for (const [title, message, errorType, isCalled] of CALLS)
  test(`a call is reported once: ${title}`, async (t) => {
    const { post, reported } = await observed(t);

    await post(message);

    assert.deepEqual(reported, [{ errorType, isCalled }]);
  });

test("each call of a batch is reported, and so is one whose client has disconnected", async (t) => {
  const { post, reported } = await observed(t);
  const headers = { "mcp-protocol-version": "2025-03-26" };
  const left = new AbortController();

  await post([toolCall("no_such_tool", {}, 1), read("up:echo")], { headers });
  const gone = post(read("up:slow", { ms: 60_000 }), { signal: left.signal }).catch(() => {});
  setTimeout(() => left.abort(), 300);
  await gone;
  await until("the report of the cancelled call", () => reported.length === 3);

  assert.deepEqual(
    reported.map(({ errorType }) => errorType),
    ["-32602", undefined, "cancelled"],
  );
});
