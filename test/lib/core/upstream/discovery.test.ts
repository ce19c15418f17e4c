import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "#lib/core/base/fault.ts";
import type { McpObject } from "#lib/core/schema/mcp.ts";
import { DISCOVERY_TIMEOUT_MS, discoverTools } from "#lib/core/upstream/discover-tools.ts";
import { createListingSchedule } from "#lib/core/upstream/listing-schedule.ts";
import { handClock } from "#test/kit/clock.ts";
import { callTool, seen, startProgram, stdioServer, testUpstreams, until } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";

/** Lists from pages given as values; records which cursors were requested. */
function pages(answers: unknown[]) {
  const cursors: unknown[] = [];
  const run = discoverTools({
    async request(_method, params: McpObject) {
      cursors.push(params.cursor);
      const result = answers[Math.min(cursors.length, answers.length) - 1];
      return { result, raw: JSON.stringify(result) };
    },
    now: () => 0,
  });
  return { run, cursors };
}
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

test("all pages are followed, in order", async () => {
  const { run, cursors } = pages([
    { tools: [tool("a")], nextCursor: "2" },
    { tools: [], nextCursor: "" },
    { tools: [tool("b")] },
  ]);

  assert.deepEqual(await run, [tool("a"), tool("b")]);
  assert.deepEqual(cursors, [undefined, "2", ""]);
});

test("entries are handed on as they were sent: which of them are tools is decided by the catalog", async () => {
  const entries = [null, { name: 5 }, tool("a"), tool("a"), { name: "s", inputSchema: "none" }];

  const { run } = pages([{ tools: entries }]);

  assert.deepEqual(await run, entries);
});

const ENDLESS: [what: string, answers: unknown[], says: RegExp][] = [
  ["a cursor given twice", [{ tools: [], nextCursor: "x" }], /cursor "x" twice/],
  ["no list", [{ tools: {} }], /contains no list of tools/],
  ["no object", [[]], /contains no list of tools/],
  ["too many tools", [{ tools: Array.from({ length: 20_001 }, (_, i) => tool(`t${i}`)) }], /more than 20000 tools/],
];
for (const [what, answers, says] of ENDLESS)
  test(`a listing with ${what} ends with an error`, async () => {
    await assert.rejects(pages(answers).run, says);
  });

test("a listing with endless pages ends", async () => {
  let page = 0;
  const endless = discoverTools({
    request: async () => ({ result: { tools: [], nextCursor: String(page++) }, raw: "" }),
    now: () => 0,
  });

  await assert.rejects(endless, /more than 1000 pages/);
});

verifies(
  ["changes.timeout", "limit.discovery"],
  "discovery has 30 s for all pages together (spec 001 §6)",
  async () => {
    let now = 0;
    const budgets: number[] = [];
    const slow = discoverTools({
      async request(_method, _params, timeoutMs) {
        budgets.push(timeoutMs);
        now += 12_000;
        return { result: { tools: [], nextCursor: String(now) }, raw: "" };
      },
      now: () => now,
    });

    await assert.rejects(
      slow,
      (error: Fault) => error.code === "call_timeout" && error.facts.ms === DISCOVERY_TIMEOUT_MS,
    );
    assert.deepEqual(budgets, [30_000, 18_000, 6000]);
  },
);

/** Changes over listings that end when told to. */
function listings(pollMs = 300_000) {
  const clock = handClock();
  const reasons: string[] = [];
  const ends: { done: () => void; fail: (error: Error) => void }[] = [];
  const failures: unknown[] = [];
  const changes = createListingSchedule({
    clock,
    list: (reason) =>
      new Promise((done, fail) => {
        reasons.push(reason);
        ends.push({ done, fail });
      }),
    failed: (error) => failures.push(error),
    pollMs: () => pollMs,
  });
  const finish = async () => {
    ends.at(-1)!.done();
    await clock.advance(0);
  };
  return { clock, changes, reasons, ends, failures, finish };
}

verifies(
  "changes.deduplicated",
  "quick successive announcements are merged into one listing (spec 001 §6)",
  async () => {
    const { clock, changes, reasons, finish } = listings();

    for (let i = 0; i < 1000; i++) changes.listChanged();
    await clock.advance(249);
    assert.equal(reasons.length, 0);
    await clock.advance(1);
    assert.deepEqual(reasons, ["the list changed"]);

    for (let i = 0; i < 1000; i++) changes.listChanged();
    await clock.advance(60_000);
    assert.equal(reasons.length, 1, "one running, one waiting");
    await finish();
    await clock.advance(250);
    assert.equal(reasons.length, 2);
  },
);

verifies(
  "changes.seconds",
  "announcements that never stop are listed within seconds all the same (spec 001 §6)",
  async () => {
    const { clock, changes, reasons } = listings();

    for (let ms = 0; ms < 2100; ms += 100) {
      changes.listChanged();
      await clock.advance(100);
    }

    assert.equal(reasons.length, 1);
  },
);

test("listings asked for at once are one, and all get its end", async () => {
  const { changes, reasons, ends } = listings();
  const all = [changes.now("a"), changes.now("b"), changes.now("c")];
  ends[0]!.fail(new Error("no"));

  const outcomes = await Promise.allSettled(all);

  assert.deepEqual(reasons, ["a"]);
  assert.ok(outcomes.every((o) => o.status === "rejected"));
});

verifies("changes.polling", "who announces nothing is polled every 5 minutes (spec 001 §6)", async () => {
  const { clock, changes, reasons, finish } = listings();
  changes.poll();

  await clock.advance(299_999);
  assert.equal(reasons.length, 0);
  await clock.advance(1);
  assert.deepEqual(reasons, ["polling"]);
  await finish();
  await clock.advance(300_000);
  assert.equal(reasons.length, 2);
});

test("who announces changes is not polled", async () => {
  const { clock, changes, reasons, finish } = listings();
  void changes.now("connected");
  await finish();

  await clock.advance(86_400_000);

  assert.deepEqual(reasons, ["connected"]);
});

verifies("changes.errors", "a failed listing is reported and tried again, later each time (spec 001 §6)", async () => {
  const { clock, changes, reasons, ends, failures } = listings();
  const first = changes.now("connected");
  ends[0]!.fail(new Error("one"));
  await assert.rejects(first);

  await clock.advance(5000);
  assert.equal(reasons.length, 2);
  ends[1]!.fail(new Error("two"));
  await clock.advance(9999);
  assert.equal(reasons.length, 2);
  await clock.advance(1);
  assert.equal(reasons.length, 3);
  ends[2]!.done();
  await clock.advance(86_400_000);
  assert.equal(reasons.length, 3);
  assert.equal(failures.length, 1);
});

test("after stop nothing is listed any more", async () => {
  const { clock, changes, reasons } = listings();
  changes.poll();
  changes.listChanged();
  changes.stop();
  changes.listChanged();

  await clock.advance(86_400_000);

  assert.deepEqual(reasons, []);
});

verifies(
  ["changes.subscribed", "changes.advertised", "changes.log-info", "changes.log-debug", "changes.log-warn"],
  "list_changed is heard on every kind of connection and logged at the levels given (spec 001 §6)",
  async () => {
    const programs = await Promise.all([
      startProgram("upstream-http.mjs"),
      startProgram("upstream-sse.mjs"),
      startProgram("upstream-http.mjs", "--no-list-changed"),
    ]);
    const [http, sse, quiet] = programs.map((p) => p.url);
    const all = testUpstreams({
      servers: [
        stdioServer("stdio"),
        { name: "http", url: http!, protocol: "http" },
        { name: "sse", url: sse!, protocol: "sse" },
        { name: "quiet", url: quiet!, protocol: "http" },
      ],
    });
    try {
      const names = ["stdio", "http", "sse", "quiet"];
      await until("listed", () => names.every((n) => all.accepted.has(n)));
      const counts = () =>
        names.map((n) => all.logLines.filter((l) => l.startsWith(`debug tool discovery of "${n}"`)).length);
      assert.deepEqual(counts(), [1, 1, 1, 1]);
      // What a server says before its stream is open reaches nobody.
      for (const program of [programs[0], programs[2]])
        await until("the stream is open", async () => (await seen(program)).some(({ method }) => method === "GET"));

      for (const name of names) await callTool(all.upstream(name), "mutate", { description: `by ${name}` });

      await until("listed again", () => names.every((n) => all.accepted.get(n)![0]!.description === `by ${n}`));
      for (const name of names) {
        const advertised = name !== "quiet";
        const has = (line: string) => all.logLines.includes(line);
        assert.equal(has(`debug handler for tools/list_changed of "${name}" registered`), advertised, name);
        assert.equal(has(`info tools/list_changed received from "${name}"`), advertised, name);
        assert.equal(
          has(`warn tools/list_changed received from "${name}", which did not advertise it`),
          !advertised,
          name,
        );
        assert.ok(has(`debug tool discovery of "${name}" triggered (the list changed)`), name);
      }
    } finally {
      await all.close();
      await Promise.all(programs.map((p) => p.kill()));
    }
  },
);

test("discover lists now; without a connection it says why not", async () => {
  const all = testUpstreams({
    servers: [stdioServer("one", "--tools", "30", "--page-size", "7"), { ...stdioServer("off"), enabled: false }],
  });
  try {
    await until("listed", () => all.accepted.get("one")?.length === 49);
    const before = all.accepts();

    await Promise.all([all.upstream("one").discover("asked for"), all.upstream("one").discover("asked for")]);

    assert.equal(all.accepts(), before + 1);
    await assert.rejects(all.upstream("off").discover("asked for"), { code: "server_not_ready" });
  } finally {
    await all.close();
  }
});
