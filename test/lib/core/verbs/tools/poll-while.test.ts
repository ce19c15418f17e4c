import assert from "node:assert/strict";
import { test } from "node:test";
import { createPermits } from "#lib/core/base/permits.ts";
import { pollWhile, preflightWaits } from "#lib/core/verbs/tools/poll-while.ts";
import { type HandClock, handClock } from "#test/kit/clock.ts";
import { withParts } from "#test/kit/parts.ts";
import { verifies } from "#test/kit/verifies.ts";

const world = (clock: HandClock = handClock(), most = 4) => {
  const slots = createPermits(most);
  return { clock, part: withParts([preflightWaits, slots]) };
};

/** Looks that find this, one after the other, the last one for ever; with the times they were made at. */
function looks(clock: HandClock, ...found: ("later" | "done")[]) {
  const from = clock.now();
  const at: number[] = [];
  const check = () => {
    at.push(clock.now() - from);
    return found.length > 1 ? found.shift()! : found[0]!;
  };
  return { at, check, isPending: (seen: string) => seen === "later", signal: new AbortController().signal };
}

verifies(
  ["rest.preflight.wait-poll", "rest.limit.preflight-poll", "rest.preflight.wait-ends"],
  "state is looked at every 250 ms and at the deadline, or until waiting is of no use",
  async () => {
    const rows: { found: ("later" | "done")[]; waitMs: number; at: number[]; waitedMs: number }[] = [
      { found: ["done"], waitMs: 5000, at: [0], waitedMs: 0 },
      { found: ["later"], waitMs: 0, at: [0], waitedMs: 0 },
      { found: ["later", "later", "done"], waitMs: 5000, at: [0, 250, 500], waitedMs: 500 },
      { found: ["later"], waitMs: 1000, at: [0, 250, 500, 750, 1000], waitedMs: 1000 },
      { found: ["later"], waitMs: 600, at: [0, 250, 600], waitedMs: 600 },
      { found: ["later"], waitMs: 100, at: [0, 100], waitedMs: 100 },
    ];
    for (const { found, waitMs, at, waitedMs } of rows) {
      const clock = handClock();
      const watch = looks(clock, ...found);

      const done = pollWhile(world(clock), { ...watch, waitMs });
      await clock.advance(10_000);

      assert.equal((await done).waitedMs, waitedMs, `${waitMs}`);
      assert.deepEqual(watch.at, at, `${waitMs}`);
      assert.ok(watch.at.every((t, i) => i === 0 || waitMs < 250 || t - watch.at[i - 1]! >= 250));
    }
  },
);

verifies(
  ["rest.preflight.wait-slots", "rest.limit.preflight-slots"],
  "four wait at once; a fifth is answered at once, and so is one who need not wait",
  async () => {
    const app = world();
    const waiting = Array.from({ length: 4 }, () => pollWhile(app, { ...looks(app.clock, "later"), waitMs: 1000 }));

    assert.deepEqual(await pollWhile(app, { ...looks(app.clock, "later"), waitMs: 1000 }), {
      seen: "later",
      waitedMs: 0,
    });
    await app.clock.advance(1000);
    await Promise.all(waiting);
    assert.equal(app.part(preflightWaits).taken, 0);
  },
);

test("whoever goes away waits no longer, and gives the place back (spec 000 §4.3 rule 5)", async () => {
  const app = world();
  const leaving = new AbortController();
  const watch = { ...looks(app.clock, "later"), waitMs: 10_000, signal: leaving.signal };
  const waiting = pollWhile(app, watch);
  await app.clock.advance(300);

  leaving.abort();

  await assert.rejects(waiting, { code: "cancelled" });
  assert.equal(app.part(preflightWaits).taken, 0);
  const looked = watch.at.length;
  await app.clock.advance(5000);
  assert.equal(watch.at.length, looked);
});

test("a check that fails ends the waiting", async () => {
  const app = world();
  let looked = 0;
  const watch = looks(app.clock, "later");
  const check = () => {
    if (looked++ > 0) throw new Error("unreadable");
    return "later";
  };
  const waiting = pollWhile(app, { ...watch, check, waitMs: 1000 });
  const failed = assert.rejects(waiting, /unreadable/);
  await app.clock.advance(1000);

  await failed;
  assert.equal(app.part(preflightWaits).taken, 0);
});
