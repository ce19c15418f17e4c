import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sender } from "#lib/modules/otlp/create-sender.ts";
import type { RecordedSpan } from "#lib/modules/otlp/recorded-span.ts";
import { createSpanQueue } from "#lib/modules/otlp/span-queue.ts";
import { handClock } from "#test/kit/clock.ts";

/** A queue whose messages the test settles. */
function queued() {
  const clock = handClock();
  const messages: { count: number; spans: number; settle(): void }[] = [];
  const lost: string[] = [];
  const sender: Sender = {
    url: "",
    counts: { sent: 0, lost: 0, problem: undefined },
    send: (body, count) =>
      new Promise((done) => {
        const spans = Number(body);
        messages.push({ count, spans, settle: () => done(true) });
      }),
    lose: (count, problem) => void lost.push(...Array.from({ length: count }, () => problem)),
    end() {},
  };
  const queue = createSpanQueue({ sender, delayMs: 5000, clock, textOf: async (spans) => String(spans.length) });
  const end = (count: number) => {
    for (let i = 0; i < count; i++) queue.add({} as RecordedSpan);
  };
  return { queue, clock, messages, lost, end };
}

const turn = () => new Promise((done) => setImmediate(done));

test("spans are sent after the delay, together", async () => {
  const { clock, messages, end } = queued();

  end(3);
  await clock.advance(4999);
  assert.equal(messages.length, 0);
  await clock.advance(1);

  assert.deepEqual(
    messages.map(({ count, spans }) => [count, spans]),
    [[3, 3]],
  );
});

test("a full batch is sent at once, and one message at a time", async () => {
  const { messages, end } = queued();

  end(1200);
  await turn();
  assert.equal(messages.length, 1);
  messages[0]!.settle();
  await turn();
  messages[1]!.settle();
  await turn();

  assert.deepEqual(
    messages.map(({ count }) => count),
    [512, 512, 176],
  );
});

test("a collector that never answers costs limited memory, and every further span is counted as lost", async () => {
  const { messages, lost, end } = queued();

  end(10_000);
  await turn();

  assert.equal(messages.length, 1);
  assert.equal(lost.length, 10_000 - 4096);
  assert.match(lost[0]!, /more than 4096 spans/);
});

test("the end waits for all messages", async () => {
  const { queue, messages, end } = queued();
  let isOver = false;

  end(600);
  void queue.flush().then(() => {
    isOver = true;
  });
  await turn();
  messages[0]!.settle();
  await turn();
  assert.equal(isOver, false);
  messages[1]!.settle();
  await turn();

  assert.equal(isOver, true);
});
