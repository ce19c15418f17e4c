import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { traffic } from "#lib/core/extension/traffic.ts";
import { observeRequests } from "#lib/core/mcp/observe-requests.ts";
import type { ProtocolMethods } from "#lib/core/mcp/protocol-methods.ts";
import { rpcErrorText, rpcResultText } from "#lib/core/mcp/rpc.ts";

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
