import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "#lib/core/schema/caller.ts";
import type { RpcId } from "#lib/core/schema/mcp.ts";
import { OpenQuestions } from "#lib/core/upstream/protocol/open-questions.ts";
import type { PendingRequest } from "#lib/core/upstream/protocol/pending-request.ts";
import type { QuestionAnswer, UpstreamQuestion } from "#lib/core/upstream/protocol/upstream-question.ts";

interface Asked {
  request: number;
  question: UpstreamQuestion;
}

/** Requests under way, each by its id and its caller; a caller in brackets cannot be asked. */
function scene(...callers: string[]) {
  const asked: Asked[] = [];
  const answers = new Map<RpcId, QuestionAnswer>();
  const faults: string[] = [];
  const times: [request: number, ms: number][] = [];
  let shared = 0;
  const pending = new Map(
    callers.map((name, i) => {
      const onQuestion = (question: UpstreamQuestion) => void asked.push({ request: i, question });
      const caller = { tier: "agent", name: name.replace(/[[\]]/g, "") } as Caller;
      const options = { timeoutMs: 1000, caller, ...(!name.startsWith("[") && { onQuestion }) };
      return [i, { id: i, questions: 0, options } as unknown as PendingRequest];
    }),
  );
  const questions = new OpenQuestions({
    takesQuestions: true,
    requests: {
      values: () => pending.values(),
      get: (id) => pending.get(id),
      postpone: ({ id }, ms) => void times.push([id, ms]),
    },
    respond: (id, answer) => void answers.set(id, answer),
    fault: (line) => void faults.push(line),
    askedOnSharedChannel: () => shared++,
  });
  const ask = (id: RpcId, carrier?: number) => questions.ask({ id, method: "elicitation/create", params: {}, carrier });
  const end = (id: number) => {
    const ended = pending.get(id)!;
    pending.delete(id);
    questions.moveFrom(ended);
  };
  return { asked, answers, faults, times, questions, ask, end, shared: () => shared };
}

const CANCELLED = { result: { action: "cancel" } };

const ATTRIBUTED: [says: string, callers: string[], carrier: number | undefined, request: number | undefined][] = [
  ["the request on whose stream it came", ["a", "b"], 1, 1],
  ["the only request", ["a"], undefined, 0],
  ["the first of several of one owner", ["a", "a"], undefined, 0],
  ["of one owner's requests one that can be asked", ["[a]", "a"], undefined, 1],
  ["nobody, when requests of two owners are under way", ["a", "b"], undefined, undefined],
  ["nobody, when one of the two could not even be asked", ["a", "[b]"], undefined, undefined],
  ["nobody, when its request is over", ["a"], 7, undefined],
  ["nobody, when the caller cannot be asked", ["[a]"], 0, undefined],
];
for (const [says, callers, carrier, request] of ATTRIBUTED)
  test(`a question goes to ${says}`, () => {
    const { asked, answers, ask, shared } = scene(...callers);

    ask("q", carrier);

    assert.deepEqual(
      asked.map((one) => one.request),
      request === undefined ? [] : [request],
    );
    assert.deepEqual(answers.get("q"), request === undefined ? CANCELLED : undefined);
    assert.equal(shared(), carrier === undefined ? 1 : 0);
  });

test("each of an owner's requests gets a question before one gets two", () => {
  const { asked, ask } = scene("a", "a", "a");

  for (const id of [1, 2, 3, 4]) ask(id);

  assert.deepEqual(
    asked.map(({ request }) => request),
    [0, 1, 2, 0],
  );
});

test("a question whose request ended moves to another of its owner, and to nobody where there is none", () => {
  const { asked, answers, ask, end } = scene("a", "a");
  let withdrawn = 0;
  ask("q");
  asked[0]!.question.onWithdrawn = () => withdrawn++;

  end(0);
  assert.deepEqual(
    asked.map(({ request }) => request),
    [0, 1],
  );
  assert.equal(withdrawn, 1);
  asked[0]!.question.answer({ result: { action: "accept", content: { from: "the first" } } });
  assert.equal(answers.size, 0, "who was asked before cannot answer any more");

  end(1);
  assert.deepEqual(answers.get("q"), CANCELLED);
});

test("a question is answered once, and not after the server withdrew it", () => {
  const { asked, answers, ask, questions } = scene("a");
  ask(1);
  asked[0]!.question.answer({ result: { action: "decline" } });
  asked[0]!.question.answer({ result: { action: "accept" } });
  assert.deepEqual(answers.get(1), { result: { action: "decline" } });

  ask(2);
  questions.withdraw(2);
  asked[1]!.question.answer({ result: { action: "accept" } });
  assert.equal(answers.has(2), false);
});

test("the time of a request stands still while it waits for answers", () => {
  const { asked, times, ask } = scene("a");
  ask(1);
  ask(2);
  asked[0]!.question.answer({ result: {} });
  assert.deepEqual(times, [
    [0, 900_000],
    [0, 900_000],
  ]);

  asked[1]!.question.answer({ result: {} });
  assert.deepEqual(times[2], [0, 1000]);
});

test("1000 questions of one server wait at once; more are cancelled", () => {
  const { asked, answers, ask } = scene("a");

  for (let id = 0; id < 1005; id++) ask(id);

  assert.equal(asked.length, 1000);
  assert.deepEqual([...answers.keys()], [1000, 1001, 1002, 1003, 1004]);
});
