import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createProcessGuard } from "#lib/core/upstream/stdio/process-guard.ts";
import {
  bootId,
  parseProcStat,
  parsePs,
  parseWindowsProcesses,
  processTree,
} from "#lib/core/upstream/stdio/process-table.ts";
import { findTagger } from "#lib/core/upstream/stdio/process-tag.ts";
import { runWatchdog } from "#lib/daemon/watchdog.ts";
import { watchdogCommands } from "#lib/daemon/watchdog-commands.ts";
import { callTool, memoryLog, stdioServer, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

// This file is its own helper: started again in a role, it is the watchdog or a proxy to be killed.
const ROLE = process.env.UPSTREAM_TEST_ROLE ?? process.argv[2];
if (ROLE === "watchdog") void runWatchdog().then(() => process.exit(0));
else if (ROLE === "complete" || ROLE === "small" || ROLE === "unwatched") void proxyToKill();
else tests();

/** The watchdogs of a test: the complete one is this file, so only the small one is the program's own. */
function watchdogs(complete = [process.execPath, fileURLToPath(import.meta.url), "watchdog"]) {
  return { complete: { command: complete }, small: ROLE === "complete" ? undefined : watchdogCommands().small };
}

/** A proxy with a tree of children, which tells their pids and then waits to be killed. */
async function proxyToKill() {
  const all = testUpstreams({
    servers: [
      stdioServer("tree", "--tree", "2", "--ignore-sigterm"),
      stdioServer("plain"),
      stdioServer("daemons", "--daemons", "10"),
    ],
    ...(ROLE !== "unwatched" && { watchdogs: watchdogs() }),
  });
  await until("ready", () => ["tree", "plain", "daemons"].every((n) => all.upstream(n).status().state === "Ready"));
  const pids = [
    ...(await treeOf(all.upstream("tree"), 4)),
    ...(await treeOf(all.upstream("daemons"), 10)),
    all.upstream("daemons").status().pid,
    all.upstream("tree").status().pid,
    all.upstream("plain").status().pid,
  ];
  process.stdout.write(`${JSON.stringify({ pids, dataDir: all.dataDir })}\n`);
  setInterval(() => {}, 1000);
}

/** Pids of its descendants, once so many run. */
async function treeOf(upstream: Parameters<typeof callTool>[0], count: number): Promise<number[]> {
  for (;;) {
    const { tree } = JSON.parse(textOf(await callTool(upstream, "stats"))) as { tree: number[] };
    if (tree.length === count) return tree;
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** A process nobody has collected yet is gone too. */
function alive(pid: number): boolean {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1")) !== undefined;
  } catch {
    return false;
  }
}
const allGone = (pids: number[]) => pids.every((pid) => !alive(pid));

function tests() {
  const linux = process.platform === "linux";

  const ends: [string, (all: ReturnType<typeof testUpstreams>) => void][] = [
    ["disabled", (all) => all.edit("tree", (s) => (s.enabled = false))],
    ["removed", (all) => all.config.change((draft) => draft.mcpServers.shift())],
    [
      "restarted",
      (all) =>
        all
          .upstream("tree")
          .restart("test")
          .catch(() => {}),
    ],
    ["closed with the proxy", (all) => all.upstreams.close()],
    ["killed", (all) => process.kill(all.upstream("tree").status().pid!, "SIGKILL")],
  ];
  const tree = async (
    what: string,
    end: (all: ReturnType<typeof testUpstreams>) => void,
    flags: readonly string[],
    count: number,
  ) => {
    const all = testUpstreams({ servers: [stdioServer("tree", ...flags), stdioServer("two", "--daemons", "1")] });
    try {
      await until("ready", () => ["tree", "two"].every((n) => all.upstream(n).status().state === "Ready"));
      const pids = [...(await treeOf(all.upstream("tree"), count)), all.upstream("tree").status().pid!];
      const neighbours = [...(await treeOf(all.upstream("two"), 1)), all.upstream("two").status().pid!];
      assert.ok([...pids, ...neighbours].every(alive));

      end(all);

      const gone = what === "closed with the proxy" ? [...pids, ...neighbours] : pids;
      await until("all gone", () => allGone(gone), 5000);
      if (what !== "closed with the proxy") assert.ok(neighbours.every(alive));
    } finally {
      await all.close();
    }
  };
  test("within 5 s the whole process tree is gone, whatever left the group or ignores SIGTERM, when its server is", {
    concurrency: true,
  }, async (t) => {
    if (!linux) return t.skip("needs /proc");
    // Side by side: each mostly waits out the grace given to a polite signal.
    const flags = ["--tree", "2", "--ignore-sigterm"];
    await Promise.all(ends.map(([what, end]) => t.test(what, () => tree(what, end, flags, 4))));
  });

  const noTag = async () => !(linux && (await findTagger())) && "needs prlimit on Linux";

  test("within 5 s daemons that cleared their environment, left the session and lost their parent are gone, when their server is", {
    concurrency: true,
  }, async (t) => {
    const reason = await noTag();
    if (reason) return t.skip(reason);
    await Promise.all(ends.map(([what, end]) => t.test(what, () => tree(what, end, ["--daemons", "10"], 10))));
  });

  const killedProxy = async (role: "complete" | "small" | "unwatched") => {
    const proxy = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
      env: { ...process.env, UPSTREAM_TEST_ROLE: role, NODE_TEST_CONTEXT: undefined },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = await new Promise<string>((done) => createInterface({ input: proxy.stdout }).once("line", done));
    const { pids, dataDir } = JSON.parse(line) as { pids: number[]; dataDir: string };
    assert.equal(pids.length, 17);
    assert.ok(pids.every(alive));
    proxy.kill("SIGKILL");
    return { pids, dataDir };
  };

  for (const role of ["complete", "small"] as const)
    test(`within 5 s of a kill -9 of the proxy all its children, grandchildren and daemons are gone (${role} watchdog)`, async (t) => {
      const reason = await noTag();
      if (reason) return t.skip(reason);
      const { pids, dataDir } = await killedProxy(role);

      await until("all gone", () => allGone(pids), 5000);
      rmSync(dataDir, { recursive: true, force: true });
    });

  test("the next start ends daemons of a killed proxy whose watchdog was killed, too", async (t) => {
    const reason = await noTag();
    if (reason) return t.skip(reason);
    const { pids, dataDir } = await killedProxy("unwatched");
    const { log, lines } = memoryLog();

    await createProcessGuard({ dataDir, log }).sweep();

    assert.ok(allGone(pids));
    assert.deepEqual(lines, []);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("what an earlier proxy of the same data directory left behind is ended at the start; others' processes are not", async (t) => {
    if (!linux) return t.skip("needs /proc");
    const dataDir = mkdtempSync(join(tmpdir(), "proxy-"));
    const { log, lines } = memoryLog();
    const mark = await createProcessGuard({ dataDir, log }).mark();
    assert.ok(existsSync(join(dataDir, "children.json")), "there is a file before there is a child");
    const run = (env: Record<string, string>) =>
      spawn(process.execPath, ["-e", "setInterval(()=>{},1000)"], { env, stdio: "ignore", detached: true }).pid!;
    const [left, recorded, stranger] = [
      run({ PROXY_UPSTREAM_ID: mark }),
      run({}),
      run({ PROXY_UPSTREAM_ID: "other.1." }),
    ];
    const [started, other] = [recorded, stranger].map(
      (pid) => parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1"))!.started,
    );
    // The second number was used again by somebody else, who started at another time.
    const rows = [
      { pid: recorded, server: "a", started },
      { pid: stranger, server: "b", started: `${other}0` },
    ];
    writeFileSync(join(dataDir, "children.json"), JSON.stringify({ boot: bootId(), children: rows }));

    await createProcessGuard({ dataDir, log }).sweep();

    assert.ok(allGone([left, recorded]));
    assert.ok(alive(stranger));
    assert.deepEqual(lines, []);
    process.kill(stranger, "SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("children.json names the running children and is gone after an orderly close", async (t) => {
    if (!linux) return t.skip("needs /proc");
    const all = testUpstreams({ servers: [stdioServer("one")] });
    const file = join(all.dataDir, "children.json");
    await until("ready", () => all.upstream("one").status().state === "Ready");

    const { children: rows } = JSON.parse(readFileSync(file, "utf8")) as {
      children: { pid: number; server: string; started: string }[];
    };
    assert.deepEqual(
      rows.map((r) => [r.server, r.pid, r.started !== ""]),
      [["one", all.upstream("one").status().pid, true]],
    );

    await all.upstreams.close();
    assert.ok(!existsSync(file));
    await all.close();
  });

  test("a broken children.json is no obstacle", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "proxy-"));
    const { log, lines } = memoryLog();
    for (const text of [
      "",
      "{",
      "null",
      "{}",
      `{"boot":"${bootId()}","children":[{},{"pid":"x"},{"pid":1,"started":"1"}]}`,
    ]) {
      writeFileSync(join(dataDir, "children.json"), text);
      await createProcessGuard({ dataDir, log }).sweep();
    }
    assert.deepEqual(lines, []);
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** A watchdog that writes its orders, and the end of its input, to a file. */
  const listener = (file: string) => {
    const code = `const { appendFileSync: add } = require("node:fs"), file = ${JSON.stringify(file)};
      process.stdin.on("data", (text) => add(file, text)).on("end", () => add(file, "END"));`;
    return { command: [process.execPath, "-e", code] };
  };
  const textIn = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");

  test("the watchdog learns the mark before the first child is started", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "proxy-"));
    const orders = join(dataDir, "orders");
    const guard = createProcessGuard({ dataDir, watchdogs: { complete: listener(orders) }, log: memoryLog().log });

    const mark = await guard.mark();

    await until("it has orders", () => textIn(orders).includes("tag "));
    const [, prefix = "?", word] = textIn(orders).split(/\s/);
    assert.ok(mark.startsWith(prefix), `${mark} ${prefix}`);
    assert.equal(word, "tag");
    await guard.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("from the first container on, the complete watchdog knows everything and the small one is let go", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "proxy-"));
    const [small, complete] = [join(dataDir, "small"), join(dataDir, "complete")];
    const { log, lines } = memoryLog();
    const guard = createProcessGuard({
      dataDir,
      watchdogs: { small: listener(small), complete: listener(complete) },
      log,
    });
    await guard.mark();
    guard.add(process.pid, "one");
    await until("the small one has orders", () => textIn(small).includes("add "));
    assert.ok(!existsSync(complete));

    guard.trackContainers({ socketPath: "/run/a.sock" }, "run7");
    guard.trackContainers({ socketPath: "/run/b.sock" }, "run7");
    guard.trackContainers({ socketPath: "/run/b.sock" }, "run7");

    await until("the complete one has orders", () => textIn(complete).includes("b.sock"));
    await until("the small one is let go", () => textIn(small).endsWith("bye\nEND"));
    const [mark, tag, ...more] = textIn(complete).trim().split("\n");
    const { started } = parseProcStat(readFileSync(`/proc/${process.pid}/stat`, "latin1"))!;
    assert.equal(`${mark}\n${tag}\n`, textIn(small).split("add ")[0]);
    assert.deepEqual(more, [
      'engine run7 {"socketPath":"/run/a.sock"}',
      `add ${process.pid} ${started}`,
      'engine run7 {"socketPath":"/run/b.sock"}',
    ]);
    await guard.close();
    await until("it is let go, too", () => textIn(complete).endsWith("bye\nEND"));
    assert.deepEqual(lines, []);
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("a watchdog that ends is replaced by the complete one while there are children, and not for ever", async (t) => {
    if (!linux) return t.skip("needs /proc");
    const failing = (code: number) => ({ command: [process.execPath, "-e", `process.exit(${code})`] });
    const all = testUpstreams({
      servers: [stdioServer("one")],
      watchdogs: { small: failing(3), complete: failing(4) },
    });
    const endings = () => all.logLines.flatMap((line) => /watchdog process ended \(code (\d)\)/.exec(line)?.[1] ?? []);
    await until("five endings", () => endings().length === 5);
    await until("ready", () => all.upstream("one").status().state === "Ready");

    assert.deepEqual(endings(), ["3", "4", "4", "4", "4"]);
    assert.equal(textOf(await callTool(all.upstream("one"), "echo", {})), "{}");

    await all.close();
  });

  test("the lines of /proc, ps and PowerShell are read", () => {
    const stat = "77 (a (b) c) S 1 77 70 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 99887 1000";
    assert.deepEqual(parseProcStat(stat), { pid: 77, ppid: 1, group: 77, session: 70, started: "99887" });
    assert.equal(parseProcStat(stat.replace(") S", ") Z")), undefined);
    assert.deepEqual(
      parsePs(
        "    7     1     7      0 Ss   Sat Nov 21 02:06:20 2026    \n   9  7  7  0 Z+  Sat Nov 21 02:06:21 2026\nrubbish\n",
      ),
      [{ pid: 7, ppid: 1, group: 7, session: 0, started: "Sat Nov 21 02:06:20 2026" }],
    );
    assert.deepEqual(parseWindowsProcesses("4 0 \r\n812 4 6388\r\n\r\n"), [
      { pid: 4, ppid: 0, group: 4, session: 0, started: "" },
      { pid: 812, ppid: 4, group: 812, session: 0, started: "6388" },
    ]);
  });

  test("a family is a leader's group, session and all descendants", () => {
    const row = (pid: number, ppid: number, group: number, session: number) => ({
      pid,
      ppid,
      group,
      session,
      started: "",
    });
    const rows = [
      row(1, 0, 1, 1),
      row(10, 1, 10, 10),
      row(11, 10, 11, 10),
      row(12, 11, 12, 12),
      row(13, 1, 10, 10),
      row(14, 12, 12, 12),
      row(20, 1, 20, 20),
    ];

    assert.deepEqual(
      processTree(rows, new Set([10])).map((r) => r.pid),
      [10, 11, 12, 13, 14],
    );
    assert.deepEqual(processTree(rows, new Set([99])), []);
  });
}
