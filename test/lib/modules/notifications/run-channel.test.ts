import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ChannelConfig } from "#lib/modules/notifications/config.ts";
import type { Notice } from "#lib/modules/notifications/notice.ts";
import { type RunningChannel, runChannel } from "#lib/modules/notifications/run-channel.ts";
import { type TestApp, testApp } from "#test/kit/app.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { type Receiver, startReceiver } from "#test/kit/receiver.ts";
import { until } from "#test/kit/until.ts";

const SECRET = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;
const HOUR_MS = 3_600_000;

interface Scene {
  readonly clock: HandClock;
  readonly receiver: Receiver;
  /** Starts the channel, as after a restart. */
  readonly start: (settings?: Partial<ChannelConfig>) => Promise<RunningChannel>;
  /** Advances the clock second by second until the condition holds. */
  readonly pass: (what: string, isDone: () => boolean) => Promise<void>;
}

/** A channel of its own, whose clock the test advances. */
async function scene(t: TestContext): Promise<Scene> {
  const receiver = await startReceiver(t);
  const real = await testApp({ env: { HOOK: SECRET }, config: { outbound_allow: ["127.0.0.1"] } });
  const clock = handClock(Date.now());
  const app: TestApp = Object.create(real, { clock: { value: clock } });
  t.after(() => real.close());
  return {
    clock,
    receiver,
    async start(settings = {}) {
      const channel = runChannel(app, {
        name: "ops",
        type: "webhook",
        url: receiver.url,
        secret: "${env:HOOK}",
        kinds: ["server", "security"],
        min_severity: "info",
        digest: "0",
        ...settings,
      } as ChannelConfig);
      t.after(() => channel.close());
      await clock.advance(0);
      return channel;
    },
    pass: (what, isDone) =>
      until(
        what,
        () => isDone(),
        () => clock.advance(1000),
      ),
  };
}

const notice = (clock: HandClock, title: string, own: Partial<Notice> = {}): Notice => ({
  key: title,
  kind: "server",
  severity: "warning",
  title,
  text: "",
  path: "/",
  at: clock.now(),
  count: 1,
  ...own,
});
const sent = ({ requests }: Receiver): string[] =>
  requests.flatMap(({ body }) => JSON.parse(body).notices.map(({ title }: Notice) => title));

test("of too many waiting notices, one of the lowest severity is dropped first", async (t) => {
  const { clock, receiver, start, pass } = await scene(t);
  receiver.answer = () => ({ status: 500 });
  const channel = await start();
  channel.add(notice(clock, "critical", { severity: "critical" }));
  for (let i = 0; i < 300; i++) channel.add(notice(clock, `info ${i}`, { severity: "info" }));
  for (let i = 0; i < 10; i++) channel.add(notice(clock, `warning ${i}`));
  assert.deepEqual([channel.status().waiting, channel.status().lost], [200, 111]);

  receiver.answer = () => ({ status: 200 });
  receiver.requests.length = 0;
  await pass("all are sent", () => channel.status().waiting === 0);

  assert.equal(sent(receiver)[0], "critical");
  assert.equal(sent(receiver).filter((title) => title.startsWith("warning")).length, 10);
});

test("a digest has all notices since the last one, in several messages if they are many", async (t) => {
  const { clock, receiver, start, pass } = await scene(t);
  const channel = await start({ digest: "1h" });
  channel.add(notice(clock, "first"));
  await pass("the first", () => sent(receiver).length === 1);
  for (let i = 0; i < 45; i++) channel.add(notice(clock, `notice ${i}`));
  await clock.advance(HOUR_MS / 2);
  assert.equal(sent(receiver).length, 1);
  await clock.advance(HOUR_MS / 2);

  const from = clock.now();
  await pass("all others", () => channel.status().waiting === 0);

  assert.ok(clock.now() - from < HOUR_MS, "none waits for another interval");
  assert.equal(sent(receiver).length, 46);
  channel.add(notice(clock, "later"));
  await clock.advance(HOUR_MS / 2);
  assert.equal(sent(receiver).length, 46);
});

test("a restart does not shorten the interval of a digest", async (t) => {
  const { clock, receiver, start, pass } = await scene(t);
  const first = await start({ digest: "1h" });
  first.add(notice(clock, "first"));
  await pass("the first", () => sent(receiver).length === 1);
  first.add(notice(clock, "second"));
  await first.close();

  const second = await start({ digest: "1h" });
  await clock.advance(HOUR_MS / 2);
  assert.deepEqual([sent(receiver), second.status().waiting], [["first"], 1]);

  await clock.advance(HOUR_MS / 2);
  await pass("the second", () => sent(receiver).length === 2);
});

test("a clock that is set back holds up no digest", async (t) => {
  const { clock, receiver, start, pass } = await scene(t);
  const first = await start({ digest: "1h" });
  first.add(notice(clock, "first"));
  await pass("the first", () => sent(receiver).length === 1);
  const now = clock.now;
  t.mock.method(clock, "now", () => now() - 365 * 24 * HOUR_MS);
  first.add(notice(clock, "second"));

  await pass("the second", () => sent(receiver).length === 2);
});

test("a notice that waited for its digest is not lost when the first attempt fails", async (t) => {
  const { clock, receiver, start, pass } = await scene(t);
  const channel = await start({ digest: "24h" });
  channel.add(notice(clock, "first"));
  await pass("the first", () => sent(receiver).length === 1);
  channel.add(notice(clock, "second"));
  receiver.answer = () => ({ status: 500 });
  await clock.advance(24 * HOUR_MS);
  await pass("several failures", () => receiver.requests.length >= 4);
  assert.deepEqual([channel.status().waiting, channel.status().lost], [1, 0]);

  await clock.advance(24 * HOUR_MS);
  await pass("the loss after a day of failures", () => channel.status().lost === 1);
  assert.equal(channel.status().waiting, 0);
});
