import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptLockMs, countFailedAttempt } from "#lib/core/api/authenticate/attempts.ts";
import { withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";

const START = 1_700_000_000_000;

test("an address that shows many wrong credentials waits, and may try again later", () =>
  withApp({ connect: false, clock: handClock(START) }, async (app) => {
    const address = "203.0.113.7";
    for (let i = 0; i < 20; i++) assert.equal(countFailedAttempt(app, address), 0, String(i));
    assert.equal(attemptLockMs(app, address), 0);
    assert.ok(countFailedAttempt(app, address) > 0);
    assert.ok(attemptLockMs(app, address) > 0);
    assert.equal(attemptLockMs(app, "203.0.113.8"), 0);
    await (app.clock as ReturnType<typeof handClock>).advance(3000);
    assert.equal(attemptLockMs(app, address), 0);
  }));

test("the addresses of one IPv6 network are one", () =>
  withApp({ connect: false, clock: handClock(START) }, async (app) => {
    for (let i = 0; i < 21; i++) countFailedAttempt(app, `2001:db8:1:2::${i.toString(16)}`);
    assert.ok(attemptLockMs(app, "2001:db8:1:2:ffff::1") > 0);
    assert.equal(attemptLockMs(app, "2001:db8:1:3::1"), 0);
  }));

test("an address of this machine is never locked; there only what is wrong is refused for a while", () =>
  withApp({ connect: false, clock: handClock(START) }, async (app) => {
    for (let i = 0; i < 300; i++) assert.equal(countFailedAttempt(app, "127.0.0.1"), 0);
    assert.ok(countFailedAttempt(app, "127.0.0.1") > 0);
    assert.equal(attemptLockMs(app, "127.0.0.1"), 0);
  }));

test("so many addresses are remembered, and no more", () =>
  withApp({ connect: false, clock: handClock(START) }, async (app) => {
    for (let i = 0; i < 21; i++) countFailedAttempt(app, "198.51.100.1");
    for (let i = 0; i < 10_000; i++) countFailedAttempt(app, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    assert.equal(attemptLockMs(app, "198.51.100.1"), 0);
  }));
