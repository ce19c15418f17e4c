import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openEventStream } from "#lib/core/api/event-stream/open-event-stream.ts";
import { eventHistory } from "#lib/core/extension/event-history.ts";
import { type Caller, FULL_SCOPE } from "#lib/core/schema/caller.ts";
import type { TestApp } from "#test/kit/app.ts";
import { openClusterApps } from "#test/kit/cluster-apps.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { until } from "#test/kit/until.ts";

const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const ADMIN: Caller = { tier: "admin", name: "admin", listener: "tcp", scope: FULL_SCOPE };

const replicas = async (...args: Parameters<typeof openClusterApps>) =>
  (await openClusterApps(...args)) as [TestApp, TestApp];

/** A reader of one replica's stream, with the events that it got as `kind server` and the id of the last one. */
function read(app: TestApp, lastEventId?: string) {
  const stream = openEventStream(app, ADMIN, {
    ...(lastEventId !== undefined && { lastEventId }),
    filter: { types: ["security", "activity.tool_call"] },
  });
  const reader = { seen: [] as string[], id: lastEventId, ended: false, close: stream.close };
  void (async () => {
    for (let text = await stream.next(); text !== undefined; text = await stream.next())
      for (const [, id, event, data] of text.matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)$/gm)) {
        reader.id = id!;
        const { payload } = JSON.parse(data!);
        if (event !== "status" && event !== "ping")
          reader.seen.push(
            `${event} ${payload.server_name ?? payload.reason}${payload.lost === undefined ? "" : ` ${payload.lost}`}`,
          );
      }
    reader.ended = true;
  })();
  return reader;
}

const decide = (app: TestApp, name: string) =>
  app.events.publish("security.decision", { server_name: name, decision: "approved" });

test("a reader sees the events of all replicas, and one that returns to another replica gets what it missed once", {
  skip,
}, async (t) => {
  const [a, b] = await replicas(t, server!.database());
  const reader = read(a);
  decide(a, "one");
  decide(b, "two");
  await until("both events", () => reader.seen.length === 2);
  assert.deepEqual([...reader.seen].sort(), ["security.decision one", "security.decision two"]);
  reader.close();
  const last = a.part(eventHistory).last;
  for (const name of ["three", "four", "five"]) decide(name === "four" ? b : a, name);
  await until("a has them", () => a.part(eventHistory).last >= last + 3);

  const returned = read(b, reader.id);
  decide(b, "six");

  await until("what was missed", () => returned.seen.length >= 4);
  assert.deepEqual(
    [...returned.seen.slice(0, 3)].sort(),
    ["five", "four", "three"].map((name) => `security.decision ${name}`).sort(),
  );
  assert.deepEqual(returned.seen.slice(3), ["security.decision six"]);
  returned.close();
});

test("a reader whose position is too old or of another database is told so at every replica", { skip }, async (t) => {
  const [a, b] = await replicas(t, server!.database());
  const history = b.part(eventHistory);
  const from = history.positionId(1);
  for (const count of [1500, 3000]) {
    for (let n = 0; n < 1500; n++) decide(a, `s${n}`);
    await until("all of them arrive", () => history.last >= count);
  }

  const old = read(b, from);
  const foreign = read(b, "000000000000-5");

  await until("both are told", () => old.seen.length > 2000 && foreign.seen.length > 0);
  assert.match(old.seen[0]!, /^gap expired \d+$/);
  assert.equal(foreign.seen[0], "gap unknown_id");
  old.close();
  foreign.close();
});

test("a replica that starts later replays what happened before", { skip }, async (t) => {
  const url = server!.database();
  const cluster = { encryption_keys: [Buffer.alloc(32, 7).toString("base64")] };
  const [a] = await openClusterApps(t, url, { count: 1, cluster });
  const from = a!.part(eventHistory).positionId(a!.part(eventHistory).last);
  decide(a!, "before");
  await until("it is in the log", () => a!.part(eventHistory).last > 0);

  const [late] = await openClusterApps(t, url, { count: 1, cluster });

  const reader = read(late!, from);
  await until("it is replayed", () => reader.seen.includes("security.decision before"));
  reader.close();
});

test("of more calls than a replica shares, readers are told how many events they missed", { skip }, async (t) => {
  const [a, b] = await replicas(t, server!.database());
  const reader = read(b);
  const about = { server_name: "s", tool_name: "t", request_id: "r", source: "mcp" };

  for (let n = 0; n < 500; n++) a.events.publish("activity.tool_call.started", about);
  await until("the rest is told", () => {
    decide(a, "next");
    return reader.seen.some((line) => line.startsWith("gap"));
  });

  const shown = reader.seen.filter((line) => line.startsWith("activity")).length;
  const lost = reader.seen
    .flatMap((line) => Number(/^gap expired (\d+)$/.exec(line)?.[1] ?? 0))
    .reduce((x, y) => x + y);
  assert.ok(shown >= 20 && shown < 500, String(shown));
  assert.equal(shown + lost, 500);
  reader.close();
});

test("a replica that stops ends its own streams only, with an id that is good at the others", { skip }, async (t) => {
  const [a, b] = await replicas(t, server!.database());
  const [here, there] = [read(a), read(b)];
  decide(a, "one");
  await until("both see it", () => here.seen.length === 1 && there.seen.length === 1);

  a.events.publish("activity.system.stop", { reason: "test", uptime_seconds: 1 });

  await until("the stream of a ends", () => here.ended);
  decide(b, "two");
  const returned = read(b, here.id);
  await until("the reader goes on at b", () => returned.seen.length === 1);
  assert.deepEqual(returned.seen, ["security.decision two"]);
  assert.equal(there.ended, false);
  for (const one of [there, returned]) one.close();
});
