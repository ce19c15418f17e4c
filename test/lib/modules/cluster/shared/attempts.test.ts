import assert from "node:assert/strict";
import { after, test } from "node:test";
import { attemptLockMs, countFailedAttempt } from "#lib/core/api/authenticate/attempts.ts";
import { openAttemptLimit } from "#lib/core/extension/open-attempt-limit.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);

test("a limit of attempts counts those at all replicas, for each key and in total", { skip }, async (t) => {
  const apps = await openClusterApps(t, server!.database(), { count: 3 });
  const limits = { perKey: 4, total: 9, windowMs: 60_000 };
  const opened = apps.map((app) => openAttemptLimit(app, "test", limits));
  const accepted = async (key: string, attempts: number) => {
    const waits = await Promise.all(Array.from({ length: attempts }, (_, n) => opened[n % 3]!.take(key)));
    return waits.filter((waitMs) => waitMs === 0).length;
  };

  assert.equal(await accepted("a", 12), 4);
  assert.equal(await accepted("b", 12), 4);
  assert.equal(await accepted("c", 12), 1, "nine in total");
  const waitMs = await opened[0]!.take("d");
  assert.ok(waitMs > 50_000 && waitMs <= 60_000, String(waitMs));
});

test("an address that is locked at one replica is locked at the others after its next failed attempt", {
  skip,
}, async (t) => {
  const [a, b] = await openClusterApps(t, server!.database());
  for (let n = 0; n < 25; n++) countFailedAttempt(a!, "192.0.2.7");
  assert.ok(attemptLockMs(a!, "192.0.2.7") > 0);
  assert.equal(attemptLockMs(b!, "192.0.2.7"), 0);

  await until("b learns of the others' attempts", () => {
    if (attemptLockMs(b!, "192.0.2.7") === 0 && attemptLockMs(a!, "192.0.2.7") > 0) countFailedAttempt(b!, "192.0.2.7");
    return attemptLockMs(b!, "192.0.2.7") > 0;
  });
  assert.equal(attemptLockMs(b!, "192.0.2.8"), 0);
});
