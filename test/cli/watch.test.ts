import assert from "node:assert/strict";
import { after, test } from "node:test";
import { commands } from "#cli/commands.gen.ts";
import { run } from "#cli/run.ts";
import { eventStreams } from "#lib/core/api/event-stream/open-event-stream.ts";
import { addServer } from "#lib/core/verbs/servers/add.ts";
import { removeServer } from "#lib/core/verbs/servers/remove.ts";
import { admin } from "#test/kit/actor.ts";
import { listenForCli, testApp } from "#test/kit/app.ts";
import { until } from "#test/kit/until.ts";

const app = await testApp({ connect: false, servers: [{ name: "git", command: "git-mcp" }], tools: { "git:log": {} } });
const { env } = await listenForCli({ after }, app);

interface Watching {
  out(): string;
  err(): string;
  stop(): Promise<number>;
}

/** A command line that goes on until it is stopped. */
function start(argv: string[], screen: { columns?: number; rows?: number } = {}): Watching {
  const stop = new AbortController();
  const [out, err] = [[] as string[], [] as string[]];
  const code = run(argv, commands, {
    env,
    stdin: process.stdin,
    stdout: { write: (text) => void out.push(text), color: false, ...screen },
    stderr: { write: (text) => void err.push(text), color: false },
    signal: stop.signal,
  });
  return {
    out: () => out.join(""),
    err: () => err.join(""),
    async stop() {
      stop.abort();
      const ended = await code;
      await until("the stream to end", () => app.part(eventStreams).slots.taken === 0);
      return ended;
    },
  };
}

const change = async (fn: () => Promise<unknown>) => void (await fn());
const adding = (name: string) => change(() => addServer(app, { name, command: "x" }, admin));
const removing = (name: string) => change(() => removeServer(app, name, admin));

test("a watched list follows what happens without being asked again, and being stopped is exit 0", async () => {
  const list = start(["upstream", "list", "--watch"]);
  await until("the first list", () => list.out().includes("git"));
  assert.equal(list.out().match(/NAME/g)?.length, 1);

  await adding("web");
  await until("the second list", () => /NAME.*NAME.*web/s.test(list.out()));
  await removing("web");
  await until("the third list", () => list.out().match(/NAME/g)?.length === 3);

  assert.equal(await list.stop(), 0);
  assert.doesNotMatch(list.out(), /\x1b/);
  assert.equal(list.err(), "");
});

test("on a terminal it is drawn in place and cut to the window", async () => {
  const list = start(["upstream", "list", "-w"], { columns: 80, rows: 3 });
  await until("the first list", () => list.out().includes("git"));
  await adding("one");
  await adding("two");
  await until("what has no room", () => list.out().includes("… 3 more"));

  assert.equal(await list.stop(), 0);
  assert.ok(list.out().startsWith("\x1b[2J\x1b[H"));
  assert.equal(list.out().match(/\x1b\[2J/g)?.length, 1);
  await removing("one");
  await removing("two");
});

test("with -o json each state is one line", async () => {
  const status = start(["status", "--watch", "--json"]);
  const totals = () =>
    status
      .out()
      .match(/^\{.*\}$/gm)
      ?.map((line) => JSON.parse(line).servers.total as number) ?? [];
  await until("the first state", () => totals().length > 0);
  await adding("web");
  await until("the next state", () => totals().includes(2));

  assert.equal(await status.stop(), 0);
  assert.equal(status.out().split("\n").length - 1, totals().length);
  assert.deepEqual([...new Set(totals())], [1, 2]);
  await removing("web");
});

test("sessions and tools are watched, too", async () => {
  const sessions = start(["sessions", "list", "--watch"]);
  await until("the first list", () => sessions.out().includes("no sessions; "));
  assert.equal(await sessions.stop(), 0);

  const tools = start(["tools", "list", "-s", "git", "--watch", "-o", "yaml"]);
  await until("the first list", () => tools.out().startsWith("---\n- name: log\n"));
  assert.equal(await tools.stop(), 0);
});

test("a watch that is refused at the start says so and fails", async () => {
  const refused = run(["status", "--watch"], commands, {
    env: { ...env, SERVICE_API_KEY: "wrong" },
    stdin: process.stdin,
    stdout: { write: () => {}, color: false },
    stderr: { write: () => {}, color: false },
    signal: new AbortController().signal,
  });

  assert.equal(await refused, 1);
});

test("a log is followed over events, by level, and each new line is shown once", async () => {
  const log = start(["upstream", "logs", "git", "--follow", "--level", "warn", "--json"]);
  await until("the stream", () => app.part(eventStreams).slots.taken === 1);
  app.serverLogs.write("git", "info", "quiet");
  app.serverLogs.write("git", "warn", "first");
  await until("the first line", () => log.out().includes("first"));
  app.serverLogs.write("git", "error", "second");
  await until("the second line", () => log.out().includes("second"));

  assert.equal(await log.stop(), 0);
  const lines = log
    .out()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ level, message }) => [level, message]),
    [
      ["warn", "first"],
      ["error", "second"],
    ],
  );
});

test("with -n 0, a followed log starts with the next line; without --follow it is rejected", async () => {
  app.serverLogs.write("git", "warn", "earlier");
  const log = start(["logs", "git", "-n", "0", "--follow"]);
  await until("the stream", () => app.part(eventStreams).slots.taken === 1);
  app.serverLogs.write("git", "warn", "later");
  await until("the new line", () => log.out().includes("later"));

  assert.equal(await log.stop(), 0);
  assert.doesNotMatch(log.out(), /earlier/);
  const none = start(["logs", "git", "-n", "0"]);
  await until("the error", () => /-n 0 shows no lines; add --follow/.test(none.err()));
  assert.equal(await none.stop(), 2);
});
