import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { eventStreams } from "#lib/core/api/event-stream/open-event-stream.ts";
import { listenTest, testApp } from "#test/kit/app.ts";
import { cli } from "#test/kit/cli.ts";
import { activityRecord } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const app = await testApp({ connect: false });
const daemon = await listenTest(app);
after(async () => {
  await daemon.close();
  await app.close();
});
const at = Date.now() - 1000;
const call = { at, server_name: "git", tool_name: "log", duration_ms: 4, response_bytes: 10 };
await Promise.all([
  app.store.activity.add(activityRecord({ id: "one", ...call, arguments: { a: 1 } })),
  app.store.activity.add(activityRecord({ id: "two", ...call, status: "error", error_message: "=no" })),
  app.store.activity.add(activityRecord({ id: "other", ...call, server_name: "web", at: at - 1 })),
]);

const env = { SERVICE_URL: daemon.url, SERVICE_API_KEY: daemon.key };
const proxy = (...argv: string[]) => cli(["activity", ...argv], commands, { env });
const ids = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).id);

verifies("rest.activity.export", "activity is exported to standard output, with the filters of the list", async () => {
  assert.deepEqual(ids((await proxy("export")).out), ["two", "one", "other"]);
  assert.deepEqual(ids((await proxy("export", "-s", "git", "--status", "success")).out), ["one"]);
  assert.deepEqual(ids((await proxy("export", "-n", "1")).out), ["two"]);
  assert.deepEqual(
    JSON.parse((await proxy("export", "--include-bodies", "-s", "git", "--status", "success")).out).arguments,
    {
      a: 1,
    },
  );
  const csv = (await proxy("export", "--format", "csv", "-s", "git")).out.split("\r\n");
  assert.match(csv[0]!, /^id,type,/);
  assert.match(csv[1]!, /^two,tool_call,mcp,git,log,error,'=no,4,/);
  const { code, err } = await proxy("export", "--status", "fine");
  assert.deepEqual([code, /status: must be one of/.test(err)], [2, true]);
});

test("a list goes on where the page before ended", async () => {
  const first = await proxy("list", "-n", "2");
  const cursor = /--cursor (\S+)/.exec(first.err)?.[1];

  const last = await proxy("list", "-n", "2", "--cursor", cursor!);

  const listed = [first, last].map(({ out }) => out.match(/\b(?:one|two|other)\b/g));
  assert.deepEqual(listed, [["two", "one"], ["other"]]);
  assert.doesNotMatch(last.err, /--cursor/);
  const json = await proxy("list", "-n", "2", "-o", "json");
  assert.deepEqual([JSON.parse(json.out).length, json.err], [2, first.err]);
});

test("an export to a file is there when it is whole, for its owner only", async () => {
  const path = join(app.dir, "out.jsonl");

  const { code, out } = await proxy("export", "--to", path);

  assert.deepEqual([code, out], [0, ""]);
  assert.deepEqual(ids(readFileSync(path, "utf8")), ["two", "one", "other"]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal((await proxy("export", "--to", join(app.dir, "none", "x"))).code, 1);
  assert.equal((await proxy("export", "--to", path, "--status", "fine")).code, 2);
  assert.deepEqual([ids(readFileSync(path, "utf8")).length, existsSync(`${path}.part`)], [3, false]);
});

test("a summary is shown by outcome, server or tool", async () => {
  const rows = async (...argv: string[]) =>
    (await proxy("summary", ...argv)).out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ +/));

  assert.deepEqual(await rows(), [
    ["STATUS", "COUNT"],
    ["success", "2"],
    ["error", "1"],
    ["blocked", "0"],
    ["rejected", "0"],
    ["all", "3"],
  ]);
  assert.deepEqual(await rows("--by", "server"), [
    ["SERVER", "COUNT"],
    ["git", "2"],
    ["web", "1"],
  ]);
  assert.deepEqual((await rows("--by", "tool", "-p", "7d"))[1], ["git:log", "2"]);
  assert.equal(JSON.parse((await proxy("summary", "--json")).out).total_count, 3);
});

test("usage is shown by tool, the most called first", async () => {
  const { out } = await proxy("usage", "-w", "7d");
  assert.match(out, /^TOOL +CALLS +ERRORS .*\ngit:log +2 +1 +0 +0 +4 +4 +20 bytes +\d{4}-.*\nweb:log +1 /);
  assert.equal(JSON.parse((await proxy("usage", "-s", "web", "--json")).out).tools.length, 1);
});

/** Watches until what is shown satisfies `done`; answers all of it. */
async function watch(argv: string[], happen: () => void, done: (out: string) => boolean): Promise<string> {
  const stop = new AbortController();
  let out = "";
  const { run } = await import("#cli/run.ts");
  const code = run(["activity", "watch", ...argv], commands, {
    env,
    stdin: process.stdin,
    stdout: { write: (text) => (out += text), color: false },
    stderr: { write: () => {}, color: false },
    signal: stop.signal,
  });
  await until("the stream", () => app.part(eventStreams).slots.taken === 1);
  happen();
  await until("the events", () => done(out));
  stop.abort();
  assert.equal(await code, 0);
  await until("the stream to end", () => app.part(eventStreams).slots.taken === 0);
  return out;
}

verifies("rest.events.sse", "what happens is watched line by line until Ctrl-C", async () => {
  const started = { server_name: "git", tool_name: "log", request_id: "r1", source: "mcp" };
  const happen = () => {
    app.events.publish("activity.tool_call.started", started);
    app.events.publish("activity.tool_call.started", { ...started, server_name: "web" });
    app.events.publish("tools.changed", { server: "git" });
    app.events.publish("activity.policy_decision", { ...started, decision: "blocked", reason: "last", id: "x" });
  };
  const done = (out: string) => out.includes("last");

  const all = (await watch([], happen, done)).trim().split("\n");
  assert.deepEqual(
    all.map((line) => line.replace(/^\S+ +/, "")),
    ["tool_call.started  git:log", "tool_call.started  web:log", "policy_decision  git:log  last"],
  );
  const some = await watch(["-s", "git", "--type", "policy_decision,tools", "--json"], happen, done);
  const objects = some
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    objects.map((o) => [o.event, o.payload.server ?? o.payload.server_name]),
    [
      ["tools.changed", "git"],
      ["activity.policy_decision", "git"],
    ],
  );
  assert.match(objects[0].at, /^\d{4}-/);
});

test("a watch for a type that no event has is rejected instead of waiting without end", async () => {
  const { code, err } = await proxy("watch", "-t", "policy_decision,tool_cal");

  assert.equal(code, 2);
  assert.match(err, /--type: unknown event type "tool_cal"; did you mean tool_call/);
});
