import assert from "node:assert/strict";
import { test } from "node:test";
import type { Egress, EgressFetchOptions } from "#lib/core/base/egress/egress.ts";
import { createSender } from "#lib/modules/otlp/create-sender.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";

const URL_OF = "http://127.0.0.1:4318/v1/traces";

type Answer = { status: number; text?: string; retryAfter?: string } | Error;

/** A sender whose requests the given answers settle, in order; the last one repeats. */
function sending(answers: readonly Answer[], clock: HandClock = handClock()) {
  const requests: { at: number; options: EgressFetchOptions }[] = [];
  const changes: (string | undefined)[] = [];
  const egress: Egress = {
    async fetch(url, options) {
      const answer = answers[Math.min(requests.length, answers.length - 1)]!;
      requests.push({ at: clock.now(), options });
      if (answer instanceof Error) throw answer;
      const { status, text = "", retryAfter } = answer;
      return { status, text, url: String(url), headers: new Headers(retryAfter ? { "retry-after": retryAfter } : {}) };
    },
  };
  const settings = { url: URL_OF, headers: { authorization: "Bearer x" }, timeoutMs: 500 };
  const sender = createSender({ egress, clock }, settings, ({ problem }) => changes.push(problem));
  return { sender, requests, changes, clock };
}

/** Answers in order; the waits between requests (s); what becomes of 100 spans; the problem that is reported. */
const ROWS: readonly [
  title: string,
  answers: readonly Answer[],
  waits: readonly number[],
  counts: { sent: number; lost: number },
  problem: RegExp | undefined,
][] = [
  ["accepted", [{ status: 200, text: "{}" }], [], { sent: 100, lost: 0 }, undefined],
  ["accepted with an empty body", [{ status: 202 }], [], { sent: 100, lost: 0 }, undefined],
  [
    "a warning without a loss",
    [{ status: 200, text: '{"partialSuccess":{"errorMessage":"old"}}' }],
    [],
    { sent: 100, lost: 0 },
    undefined,
  ],
  [
    "a part rejected",
    [{ status: 200, text: '{"partialSuccess":{"rejectedSpans":"30","errorMessage":"too old"}}' }],
    [],
    { sent: 70, lost: 30 },
    /rejected a part: too old/,
  ],
  [
    "data points rejected",
    [{ status: 200, text: '{"partialSuccess":{"rejectedDataPoints":7}}' }],
    [],
    { sent: 93, lost: 7 },
    /rejected a part: without a reason/,
  ],
  [
    "more rejected than sent",
    [{ status: 200, text: '{"partialSuccess":{"rejectedSpans":"1000"}}' }],
    [],
    { sent: 0, lost: 100 },
    /rejected a part/,
  ],
  ["400 is not repeated", [{ status: 400 }], [], { sent: 0, lost: 100 }, /status 400/],
  ["401 is not repeated", [{ status: 401 }], [], { sent: 0, lost: 100 }, /status 401/],
  ["404 is not repeated", [{ status: 404 }], [], { sent: 0, lost: 100 }, /status 404/],
  ["500 is not repeated", [{ status: 500 }], [], { sent: 0, lost: 100 }, /status 500/],
  ["503, then accepted", [{ status: 503 }, { status: 200 }], [1], { sent: 100, lost: 0 }, undefined],
  [
    "Retry-After in seconds",
    [{ status: 429, retryAfter: "7" }, { status: 200 }],
    [7],
    { sent: 100, lost: 0 },
    undefined,
  ],
  [
    "Retry-After as a date",
    [{ status: 503, retryAfter: new Date(1_700_000_010_000).toUTCString() }, { status: 200 }],
    [10],
    { sent: 100, lost: 0 },
    undefined,
  ],
  [
    "Retry-After 0 does not hurry",
    [{ status: 429, retryAfter: "0" }, { status: 200 }],
    [1],
    { sent: 100, lost: 0 },
    undefined,
  ],
  [
    "Retry-After that is no time",
    [{ status: 429, retryAfter: "soon" }, { status: 200 }],
    [1],
    { sent: 100, lost: 0 },
    undefined,
  ],
  [
    "Retry-After longer than a proxy waits",
    [{ status: 503, retryAfter: "31" }],
    [],
    { sent: 0, lost: 100 },
    /status 503/,
  ],
  ["503 for ever", [{ status: 503 }], [1, 2, 4, 8], { sent: 0, lost: 100 }, /status 503/],
  ["down for ever", [new Error("connect ECONNREFUSED")], [1, 2, 4, 8], { sent: 0, lost: 100 }, /ECONNREFUSED/],
  ["down, then up", [new Error("connect ECONNREFUSED"), { status: 200 }], [1], { sent: 100, lost: 0 }, undefined],
];

for (const [title, answers, waits, counts, problem] of ROWS)
  test(`a message to the collector: ${title}`, async () => {
    const { sender, requests, changes, clock } = sending(answers);

    const sent = sender.send("{}", 100);
    await clock.advance(60_000);

    assert.equal(await sent, counts.lost === 0);
    const { problem: found, ...rest } = sender.counts;
    assert.deepEqual(rest, counts);
    assert.deepEqual(
      requests.slice(1).map(({ at }, i) => (at - requests[i]!.at) / 1000),
      waits,
    );
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found!, problem);
    assert.equal(changes.length, problem === undefined ? 0 : 1);
  });

test("a request to the collector is a POST of JSON, guarded, bounded, and follows no redirect", async () => {
  const { sender, requests } = sending([{ status: 200 }]);

  await sender.send('{"a":1}', 1);

  const { signal, ...options } = requests[0]!.options;
  assert.ok(signal);
  assert.deepEqual(options, {
    method: "POST",
    headers: { authorization: "Bearer x", "content-type": "application/json" },
    body: '{"a":1}',
    timeoutMs: 500,
    maxBytes: 65_536,
    redirects: 0,
    allow: ["127.0.0.1:4318"],
  });
});

test("a loss is reported once, and so is the next accepted message", async () => {
  const { sender, changes } = sending([
    { status: 400 },
    { status: 400 },
    { status: 200 },
    { status: 200 },
    { status: 400 },
  ]);

  for (let i = 0; i < 5; i++) await sender.send("{}", 10);

  const lost = "it responded with status 400";
  assert.deepEqual(changes, [lost, undefined, lost]);
  assert.deepEqual(sender.counts, { sent: 20, lost: 30, problem: lost });
});

test("the end of the export ends the wait for another attempt", async () => {
  const { sender, requests } = sending([{ status: 503 }]);

  const sent = sender.send("{}", 10);
  await new Promise((done) => setImmediate(done));
  sender.end();

  assert.equal(await sent, false);
  assert.equal(requests.length, 1);
  assert.equal(sender.counts.lost, 10);
});

test("an endpoint of the environment that is no URL loses what is sent", async () => {
  const { clock } = sending([]);
  const egress: Egress = { fetch: () => assert.fail("must not be reached") };
  const sender = createSender({ egress, clock }, { url: "collector", headers: {}, timeoutMs: 1 }, () => {});

  const sent = sender.send("{}", 1);
  await clock.advance(60_000);

  assert.equal(await sent, false);
  assert.match(sender.counts.problem!, /Invalid URL/);
});
