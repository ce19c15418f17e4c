import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "#lib/core/base/fault.ts";
import { createLog } from "#lib/core/log/create-log.ts";
import { withRequestId } from "#lib/core/log/request-id.ts";
import { revealed } from "#lib/core/log/revealed.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";

const same = (text: string) => text;
/** Without the time in front. */
const said = (lines: string[]) => lines.map((line) => line.replace(/^\S+ /, ""));

test("a line is time, level, tag, message and facts", () => {
  const clock = handClock(Date.UTC(2026, 10, 21, 1, 2, 3, 456));
  const lines: string[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });

  createLog({ level: "info", scrub: same, out, clock })
    .tagged("upstream")
    .tagged("git")
    .info("connected", { tools: 3, name: "my server", gone: undefined, list: ["a"] });

  assert.deepEqual(lines, [
    '2026-11-21T01:02:03.456Z INFO  [upstream:git] connected tools=3 name="my server" list="[\\"a\\"]"\n',
  ]);
});

test("only lines of the level or above are written, and the level changes at once, for tagged logs too", () => {
  const log = heardLog("warn");
  const inner = log.tagged("x");
  const all = () => {
    for (const level of ["trace", "debug", "info", "warn", "error"] as const) inner[level](level);
  };

  all();
  assert.deepEqual(said(log.lines), ["WARN  [x] warn", "ERROR [x] error"]);
  log.setLevel("trace");
  all();
  assert.equal(log.lines.length, 7);
  log.setLevel("error");
  all();
  assert.equal(log.lines.length, 8);
});

test("every line is written, also one repeated a hundred times", () => {
  const log = heardLog();

  for (let i = 0; i < 100; i++) log.info("again");

  assert.equal(log.lines.length, 100);
});

test("messages and facts are scrubbed; what a person must be told is shown on the terminal only", () => {
  const scrub = (text: string) => text.replaceAll("s3cret", "****");
  const log = heardLog("info", scrub);
  const file: string[] = [];
  log.toFile({
    hasRoom: () => true,
    write: (line) => file.push(line),
    settled: (work) => work([]),
    idle: () => true,
    close: async () => undefined,
  });

  log.info("got s3cret", { token: "s3cret", error: new Error("s3cret"), key: revealed("s3cret-key") });

  assert.equal(log.lines[0]!.match(/s3cret/g)?.length, 1);
  assert.ok(log.lines[0]!.includes("key=s3cret-key"));
  assert.ok(file.length === 1 && !file[0]!.includes("s3cret"));
  assert.equal(JSON.stringify({ key: revealed("s3cret") }), '{"key":"[shown on standard error]"}');
});

test("nobody can forge a line or steer a terminal through a message or a fact", () => {
  const log = heardLog();

  log.warn("one\n2026-11-21T00:00:00.000Z ERROR forged\u001b[2J", { name: "x\ny\u001b[31m" });

  const text = log.lines.join("\n");
  assert.equal(text.split("\n").filter((line) => /^\d{4}-/.test(line)).length, 1);
  assert.ok(!text.includes("\u001b"));
});

test("a defect shows its stack, a fault its message", () => {
  const log = heardLog();

  log.error("broke", { error: new TypeError("odd") });
  log.error("refused", { error: new Fault("server_not_found", { server: "git" }) });

  assert.match(log.lines[0]!, /broke error=odd\n {4}TypeError: odd\n {8}at /);
  assert.ok(log.lines[1]!.includes('server \\"git\\" not found') && !log.lines[1]!.includes("\n"));
});

test("a promise handed over tells what was tried", async () => {
  const log = heardLog();
  const abort = new AbortController();
  abort.abort();

  log.catch("saving", Promise.reject(new Error("disk")));
  log.catch("asking", Promise.reject(new Fault("server_not_found", { server: "git" })));
  log.catch("waiting", sleep(10_000, undefined, { signal: abort.signal }));
  log.catch("odd", Promise.reject("text"));
  log.catch("fine", Promise.resolve());
  await sleep(5);

  assert.deepEqual(
    said(log.lines)
      .map((line) => line.split("\n")[0])
      .sort(),
    [
      "DEBUG waiting was stopped",
      "ERROR odd failed error=text",
      "ERROR saving failed error=disk",
      'WARN  asking failed: server "git" not found',
    ],
  );
});

test("every line inside a request carries its id, also after waiting", async () => {
  const log = heardLog();

  await Promise.all(
    ["r1", "r2"].map((id) =>
      withRequestId(id, async () => {
        await sleep(1);
        log.info(`in ${id}`);
      }),
    ),
  );
  log.info("outside");

  assert.deepEqual(said(log.lines).sort(), ["INFO  in r1 request_id=r1", "INFO  in r2 request_id=r2", "INFO  outside"]);
});

test("the end of one request takes no other's id away, and one after a quiet time has its own again", async () => {
  const log = heardLog();
  let end: (() => void) | undefined;
  const long = withRequestId("long", async () => {
    await new Promise<void>((done) => {
      end = done;
    });
    log.info("still there");
  });

  await withRequestId("short", async () => {});
  end?.();
  await long;
  await withRequestId("next", async () => {
    await sleep(1);
    log.info("a new one");
  });

  assert.deepEqual(said(log.lines), ["INFO  still there request_id=long", "INFO  a new one request_id=next"]);
});

test("a reader that does not read costs bounded memory, and the lines that were lost are counted", async () => {
  let release: (() => void) | undefined;
  const got: string[] = [];
  const out = new Writable({
    highWaterMark: 16,
    write(chunk, _encoding, done) {
      got.push(String(chunk));
      if (release) done();
      else release = done;
    },
  });
  const log = createLog({ level: "info", scrub: same, out });

  for (let i = 0; i < 20_000; i++) log.info("x".repeat(200));
  assert.ok(out.writableLength < 1_300_000, `${out.writableLength}`);

  release?.();
  await sleep(20);
  log.info("after");
  await sleep(5);
  assert.match(got.join(""), /… \d{4,} lines dropped, because the reader was too slow\n.* after\n$/);
});

test("a reader that went away and a scrubber that fails disturb nobody", async () => {
  const closed = new Writable({ write: (_c, _e, done) => done(new Error("EPIPE")) });
  const log = createLog({ level: "info", scrub: same, out: closed });
  log.info("one");
  await sleep(5);
  log.info("two");

  const bad = heardLog("info", () => {
    throw new RangeError("too hard");
  });
  bad.info("s3cret");
  assert.deepEqual(said(bad.lines), ["INFO  a line was withheld: RangeError"]);
});

test("in the format json, a line is one object with the ids of its request and trace", async () => {
  const clock = handClock(Date.UTC(2026, 10, 21, 1, 2, 3, 456));
  const scrub = (text: string) => text.replaceAll(/s3cret|(?<=token=)\S+/g, "****");
  const log = heardLog("info", scrub, clock);
  log.setFormat("json");
  log.traceIdsFrom((requestId) => (requestId === "r1" ? "t1" : undefined));

  log
    .tagged("upstream")
    .info('got "s3cret"\nand more', { tools: 3, ok: true, token: "abc", list: ["a b"], gone: undefined });
  log.warn("without tag", { request_id: "r1", level: "odd" });
  await withRequestId("r2", () => log.error("failed", { error: new TypeError("broken s3cret") }));
  log.info("shown", { key: revealed("s3cret-key") });

  const [first, second, third, fourth] = log.lines.map((line) => JSON.parse(line));
  const time = "2026-11-21T01:02:03.456Z";
  assert.deepEqual(first, {
    time,
    level: "info",
    tag: "upstream",
    message: 'got "****"\nand more',
    tools: 3,
    ok: true,
    token: "****",
    list: '["a b"]',
  });
  assert.deepEqual(second, {
    time,
    level: "warn",
    message: "without tag",
    request_id: "r1",
    trace_id: "t1",
    level_: "odd",
  });
  const { stack, ...rest } = third;
  assert.deepEqual(rest, { time, level: "error", message: "failed", request_id: "r2", error: "broken ****" });
  assert.match(stack, /^TypeError: broken \*\*\*\*\n/);
  assert.equal(fourth.key, "s3cret-key");
  assert.ok(log.lines.every((line) => !line.trimEnd().includes("\n")));
});

test("in the format text, a line ends with the ids of its request and trace", () => {
  const log = heardLog();
  log.traceIdsFrom(() => "t1");

  log.info("one", { request_id: "r1" });
  log.info("two");

  assert.deepEqual(said(log.lines), ["INFO  one request_id=r1 trace_id=t1", "INFO  two"]);
});
