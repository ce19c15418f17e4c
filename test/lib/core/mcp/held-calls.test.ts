import assert from "node:assert/strict";
import { test } from "node:test";
import { createHeldCalls } from "#lib/core/mcp/held-calls.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import {
  nobodyAnswers,
  type QuestionAnswer,
  type UpstreamQuestion,
} from "#lib/core/upstream/protocol/upstream-question.ts";
import { handClock } from "#test/kit/clock.ts";

interface Asked {
  said: QuestionAnswer | undefined;
  refusedFor: string | undefined;
}

function question(): UpstreamQuestion & Asked {
  const method = "elicitation/create";
  return {
    method,
    params: {},
    onWithdrawn: undefined,
    said: undefined,
    refusedFor: undefined,
    answer(said) {
      this.said ??= said;
    },
    refuse(reason) {
      this.refusedFor = reason;
      this.answer(nobodyAnswers(method, reason));
    },
  };
}

const request = (name = "a") => ({
  caller: { ...INTERNAL_CALLER, tier: "agent" as const, name },
  signal: new AbortController().signal,
});

/** Calls that ask once and end when told so. */
function scene() {
  const clock = handClock();
  const held = createHeldCalls<string>(clock);
  const begin = async (owner?: string) => {
    const asked = question();
    const ends = { resolve: (_result: string) => {} };
    const ended = new Promise<string>((done) => {
      ends.resolve = done;
    });
    const abort = new AbortController();
    const outcome = held.begin(request(owner), abort, (ask) => {
      ask(asked);
      return ended;
    });
    await clock.advance(10);
    return { asked, ends, abort, outcome };
  };
  return { clock, held, begin };
}

/** The outcome of a call that asked. */
async function stateOf(outcome: Promise<object>) {
  const { state } = (await outcome) as { state: { id: string; round: number } };
  return state;
}

test("an owner holds 16 calls at once; a call that is over makes room, though its result is kept", async () => {
  const { begin, clock, held } = scene();
  const calls = [];
  for (let i = 0; i < 16; i++) calls.push(await begin());

  const late = await begin();
  assert.match(late.asked.refusedFor ?? "", /too many calls of this caller wait/);
  assert.equal((await begin("b")).asked.refusedFor, undefined, "another owner has places of their own");

  const state = await stateOf(calls[0]!.outcome);
  calls[0]!.ends.resolve("done");
  await clock.advance(0);
  assert.equal((await begin()).asked.refusedFor, undefined);
  assert.deepEqual(await held.resume(request(), state, {}), { done: "done" });
});

test("results are kept for a minute, the newest 16 of each owner", async () => {
  const { begin, clock, held } = scene();
  const states = [];
  for (let i = 0; i < 18; i++) {
    const { outcome, ends } = await begin();
    states.push(await stateOf(outcome));
    ends.resolve(`done ${i}`);
    await clock.advance(0);
  }

  assert.equal(held.resume(request(), states[1]!, {}), undefined);
  assert.deepEqual(await held.resume(request(), states[2]!, {}), { done: "done 2" });
  await clock.advance(60_000);
  assert.equal(held.resume(request(), states[17]!, {}), undefined);
});

test("a call is resumed by its owner from any connection, and by nobody else", async () => {
  const { begin, held } = scene();
  const { asked, ends, outcome } = await begin();
  const state = await stateOf(outcome);

  assert.equal(held.resume(request("b"), state, { "elicitation-1": { action: "accept" } }), undefined);
  assert.equal(asked.said, undefined);
  const resumed = held.resume(request(), state, { "elicitation-1": { action: "accept" } });
  assert.deepEqual(asked.said, { result: { action: "accept" } });
  ends.resolve("done");
  assert.deepEqual(await resumed, { done: "done" });
});

test("who hangs up while an answer is made cancels the call; who was asked has hung up already, which cancels nothing", async () => {
  const { held, clock } = scene();
  const abort = new AbortController();
  const first = new AbortController();
  const asked = question();
  const outcome = held.begin({ ...request(), signal: first.signal }, abort, (ask) => {
    ask(asked);
    return new Promise<string>(() => {});
  });
  await clock.advance(10);
  const state = await stateOf(outcome);
  first.abort();
  assert.equal(abort.signal.aborted, false);

  const second = new AbortController();
  void held.resume({ ...request(), signal: second.signal }, state, { "elicitation-1": {} });
  second.abort();
  assert.equal(abort.signal.aborted, true);
});
