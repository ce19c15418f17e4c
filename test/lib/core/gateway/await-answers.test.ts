import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { endAnswered } from "#lib/core/gateway/await-answers.ts";
import { screenInputRequired } from "#lib/core/gateway/screen-input-required.ts";
import { type GatewayCall, openCall } from "#lib/core/gateway/stages/stage.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import type { InputContext, McpObject } from "#lib/core/schema/mcp.ts";
import { testApp } from "#test/kit/app.ts";
import { CLIENTS } from "#test/kit/asked-client.ts";
import { handClock } from "#test/kit/clock.ts";
import { program, serve } from "#test/kit/mcp.ts";

const outcomes = async (app: App) =>
  (await app.store.activity.select({ type: ["question"] }, { limit: 50 })).records.map(({ status, metadata }) => [
    status,
    metadata?.action ?? metadata?.reason ?? "",
  ]);

test("each question has one activity record with its outcome, for all combinations of protocol versions", async (t) => {
  const servers = [program("old"), program("new", "--era", "modern")];
  const served = await serve(t, { servers, connect: true });
  const expected: object[] = [];

  for (const action of ["accept", "decline", "cancel"] as const)
    for (const connect of Object.values(CLIENTS)) {
      const client = await connect(served, { action });
      for (const { name } of servers) {
        await client.call(`${name}__ask`, { kind: "form" });
        expected.unshift([name, "ask", "success", { method: "elicitation/create", action }]);
      }
      await client.close();
    }

  const { records } = await served.app.store.activity.select({ type: ["question"] }, { limit: 50 });
  assert.deepEqual(
    records.map(({ server_name, tool_name, status, metadata }) => [server_name, tool_name, status, metadata]),
    expected,
  );
  for (const { arguments: args } of records) {
    assert.match(JSON.stringify(args), /Your name\?/);
    assert.doesNotMatch(JSON.stringify(args), /Amy/);
  }
});

const FORM = { method: "elicitation/create", params: { message: "Your name?" } };
const ACCEPT = { action: "accept", content: {} };

/** Attempts of a client of 2026-07-28 to call a tool, each answered by these questions. */
async function scene(t: TestContext) {
  const clock = handClock();
  const server = { name: "up", command: "none", trust_mode: "auto" as const };
  const app = await testApp({ connect: false, clock, servers: [server] });
  const attempt = (asking: Partial<InputContext> = {}, more: Partial<GatewayCall["request"]> = {}) => {
    const signal = new AbortController().signal;
    const origin = { requestId: "r-1", source: "mcp" as const };
    const request = { id: "up:ask", args: { a: 1 }, signal, asking: { capabilities: { elicitation: {} }, ...asking } };
    const call = openCall(app, { caller: INTERNAL_CALLER, origin }, { ...request, ...more });
    return Object.assign(call, { server: "up", tool: "ask" });
  };
  const asks = (inputRequests: McpObject, more: McpObject = {}, call = attempt()) => {
    const result = { resultType: "input_required", inputRequests, ...more };
    return screenInputRequired(call, { result, raw: JSON.stringify(result) });
  };
  t.after(() => app.close());
  return { app, clock, attempt, asks };
}

test("a question whose answer does not come is recorded after half an hour", async (t) => {
  const { app, clock, asks } = await scene(t);

  asks({ name: FORM }, { requestState: "s" });
  await clock.advance(29 * 60_000);
  assert.deepEqual(await outcomes(app), []);
  await clock.advance(60_000);

  assert.deepEqual(await outcomes(app), [["error", "no answer came within 30 minutes"]]);
});

test("a question belongs to the request that brings its state; one left out of the answers has none", async (t) => {
  const { app, attempt, asks } = await scene(t);
  asks({ name: FORM, age: FORM }, { requestState: "s" });

  for (const foreign of [
    attempt({ responses: { name: ACCEPT }, state: "other" }),
    attempt({ responses: { name: ACCEPT } }),
    attempt({ responses: { name: ACCEPT }, state: "s" }, { args: { a: 2 } }),
    Object.assign(attempt({ responses: { name: ACCEPT }, state: "s" }), { tool: "other" }),
  ])
    endAnswered(foreign);
  assert.deepEqual(await outcomes(app), []);

  endAnswered(attempt({ responses: { name: ACCEPT, age: "old" }, state: "s" }));
  endAnswered(attempt({ responses: { name: ACCEPT, age: ACCEPT }, state: "s" }));

  assert.deepEqual(await outcomes(app), [
    ["error", "the client came back without an answer"],
    ["success", "accept"],
  ]);
});

test("each question of a task is answered on its own, and recorded once however often the task is looked at", async (t) => {
  const { app, attempt, asks } = await scene(t);
  const look = () => attempt({}, { taskRequest: { method: "tasks/get", params: { taskId: "t-1" } } as const });
  const answer = (responses: McpObject) =>
    endAnswered(
      attempt({ responses }, { taskRequest: { method: "tasks/update", params: { taskId: "t-1" } } as const }),
    );

  asks({ name: FORM }, {}, look());
  asks({ name: FORM, age: FORM }, {}, look());
  answer({ name: ACCEPT });
  asks({ age: FORM }, {}, look());
  answer({ age: { action: "decline" } });
  answer({ age: ACCEPT });

  assert.deepEqual(await outcomes(app), [
    ["success", "decline"],
    ["success", "accept"],
  ]);
});

test("of a result that may not be passed on, every question is recorded as blocked", async (t) => {
  const { app, asks } = await scene(t);

  asks({ name: FORM, files: { method: "roots/list" } });
  const bad = { method: "elicitation/create", params: { mode: "url", message: "m", url: "http://example.com" } };
  assert.throws(() => asks({ name: FORM, bad }), /neither https nor on this machine/);

  assert.deepEqual(await outcomes(app), [
    ["blocked", "its address is neither https nor on this machine"],
    ["blocked", "another question of the same result could not be passed on"],
    ["blocked", "the client did not declare that it can be asked this"],
    ["blocked", "another question of the same result could not be passed on"],
  ]);
});

test("equal requests and all questions that are open are limited; what is given up is recorded", async (t) => {
  const { app, asks } = await scene(t);

  for (let i = 0; i < 6; i++) asks({ name: FORM });
  assert.deepEqual(await outcomes(app), Array(2).fill(["error", "too many questions are open"]));

  for (let i = 0; i < 500; i++) asks({ name: FORM }, { requestState: `s-${i}` });
  assert.equal((await app.store.activity.select({ type: ["question"] }, { limit: 50 })).total, 6);
});
