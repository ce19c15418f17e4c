import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { askInRounds } from "#lib/core/mcp/ask-in-rounds.ts";
import type { InputContext, McpObject } from "#lib/core/schema/mcp.ts";
import { nobodyAnswers, type UpstreamQuestion } from "#lib/core/upstream/protocol/upstream-question.ts";
import { handClock } from "#test/kit/clock.ts";

const form = { method: "elicitation/create", params: { mode: "form", message: "Your name?" } };
const sample = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
const roots = { method: "roots/list" };
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };

/** A client and an upstream that gives these results, one for each attempt. */
function scene(...results: McpObject[]) {
  const clock = handClock();
  const left = new AbortController();
  const attempts: InputContext[] = [];
  const asked: UpstreamQuestion[] = [];
  const withdrawn: string[] = [];
  const ask = (question: UpstreamQuestion) => {
    asked.push(question);
    question.onWithdrawn = () => withdrawn.push(question.method);
  };
  const config = { onChange: () => () => {} } as unknown as App["config"];
  const client = { app: { clock, config }, capabilities: CAPABILITIES, ask, signal: left.signal };
  const attempt = async (input: InputContext) => {
    attempts.push(input);
    return results[Math.min(attempts.length, results.length) - 1]!;
  };
  const run = () => askInRounds(client, attempt, (result) => ({ server: "up", result }));
  return { clock, left, attempts, asked, withdrawn, run };
}
const asking = (inputRequests: McpObject, requestState?: string) => ({
  resultType: "input_required",
  inputRequests,
  ...(requestState !== undefined && { requestState }),
});

test("answers go back under the keys of their questions, with the state of the upstream as it was", async () => {
  const { asked, attempts, run } = scene(asking({ a: form, b: roots }, "s 1"), { content: [] });

  const result = run();
  await new Promise((done) => setImmediate(done));
  asked[1]!.answer({ result: { roots: [] } });
  asked[0]!.answer({ result: { action: "accept" } });

  assert.deepEqual(await result, { content: [] });
  assert.deepEqual(
    attempts.map(({ responses, state }) => ({ responses, state })),
    [
      { responses: undefined, state: undefined },
      { responses: { a: { action: "accept" }, b: { roots: [] } }, state: "s 1" },
    ],
  );
});

test("a question that nobody answers ends after 10 minutes: a form is cancelled, a sample fails the request", async () => {
  const { clock, asked, attempts, withdrawn, run } = scene(asking({ a: form }), asking({ b: sample, c: form }));

  const result = run();
  result.catch(() => {});
  await clock.advance(10 * 60_000 - 1);
  assert.equal(attempts.length, 1);
  await clock.advance(1);
  assert.deepEqual(attempts[1]?.responses, { a: { action: "cancel" } });
  asked[2]!.answer({ result: { action: "accept" } });
  await clock.advance(10 * 60_000);

  await assert.rejects(result, { code: "upstream_failed", message: /not answered in time/ });
  assert.deepEqual(withdrawn, ["elicitation/create", "sampling/createMessage"]);
});

test("one question without an answer ends the request, and the others are withdrawn", async () => {
  const { asked, withdrawn, run } = scene(asking({ a: sample, b: form, c: roots }));

  const result = run();
  await new Promise((done) => setImmediate(done));
  asked[0]!.answer(nobodyAnswers("sampling/createMessage", "no model"));

  await assert.rejects(result, { code: "upstream_failed", message: /its question was not answered: no model/ });
  assert.deepEqual(withdrawn, ["elicitation/create", "roots/list"]);
});

test("a client that leaves withdraws its questions and ends the request", async () => {
  const { left, attempts, withdrawn, run } = scene(asking({ a: form }));

  const result = run();
  await new Promise((done) => setImmediate(done));
  left.abort();

  await assert.rejects(result, { code: "cancelled" });
  assert.deepEqual(withdrawn, ["elicitation/create"]);
  assert.equal(attempts.length, 1);
});

test("an upstream that asks without end fails after 10 rounds", async () => {
  const { asked, attempts, run } = scene(asking({ a: form }));

  const result = run();
  result.catch(() => {});
  for (let round = 0; round < 10; round++) {
    await new Promise((done) => setImmediate(done));
    asked[round]!.answer({ result: { action: "accept" } });
  }

  await assert.rejects(result, { code: "upstream_failed", message: /asks for input without end/ });
  assert.equal(attempts.length, 11);
});
