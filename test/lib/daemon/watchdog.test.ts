import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { parseProcStat } from "#lib/core/upstream/stdio/process-table.ts";
import { processTagRange } from "#lib/core/upstream/stdio/process-tag.ts";
import type { WatchdogCommand } from "#lib/core/upstream/stdio/watchdog.ts";
import { watchdogCommands } from "#lib/daemon/watchdog-commands.ts";
import { until } from "#test/kit/upstream.ts";

/** SIGTERM, 1.5 s, SIGKILL: all of it within 5 s. (ms) */
const LIMIT_MS = 5000;

// The watchdog reads the process table of the whole machine, so each test has processes and a mark of its own.
for (const [shell, watchdog] of shells())
  describe(`the watchdog run by ${shell}`, { concurrency: true, skip: !watchdog && "not on this machine" }, () => {
    const start = (t: TestContext, ...orders: string[]) => startWatchdog(t, watchdog!, orders);

    test("ends children and grandchildren in groups of their own when the proxy is gone", async (t) => {
      const children = [
        run(t, "sleep 300 & sleep 301 & wait"),
        run(t, "setsid sh -c 'sleep 302 & wait' & sleep 303 & wait"),
      ];
      await until("the grandchildren run", () => children.every((pid) => descendants(pid).length >= 2));
      const all = children.flatMap((pid) => [pid, ...descendants(pid)]);
      assert.ok(all.length >= 7);
      const dog = start(t, `mark ${newMark()}`, ...children.map((pid) => `add ${pid} ${startOf(pid)}`));

      dog.stdin!.destroy();

      await until("all are gone", () => !all.some(isRunning), LIMIT_MS);
      await until("the watchdog is gone", () => dog.exitCode === 0);
    });

    test("kills a process that ignores SIGTERM, after it had time to end by itself", async (t) => {
      const child = run(t, "trap '' TERM; while :; do sleep 1; done");
      const dog = start(t, `mark ${newMark()}`, `add ${child} ${startOf(child)}`);
      await sleep(100);
      const from = performance.now();

      dog.stdin!.destroy();

      await until("it is gone", () => !isRunning(child), LIMIT_MS);
      assert.ok(performance.now() - from > 1000);
    });

    test("finds a process that left its group, session and parent by its mark, which may hold spaces", async (t) => {
      const mark = `${newMark()}with two  spaces.`;
      const [stray, neighbour] = [await daemon(t, `${mark}7.`), await daemon(t, `${newMark()}7.`)];
      const dog = start(t, `mark ${mark}`);

      dog.stdin!.destroy();

      await until("it is gone", () => !isRunning(stray), LIMIT_MS);
      await until("the watchdog is gone", () => dog.exitCode === 0);
      assert.ok(isRunning(neighbour));
    });

    test("finds one that also cleared its environment by its tag, unless it carries the mark of another", {
      skip: !tagsProcesses() && "needs prlimit",
    }, async (t) => {
      const mark = newMark();
      const { first, last } = processTagRange(mark);
      const tagged = (more: string) => daemon(t, undefined, `prlimit --rss=${first + 5n}: ${more}`);
      const [cleared, other] = [await tagged("env -i"), await tagged("env -i PROXY_UPSTREAM_ID=other.1.2.")];
      const beyond = await daemon(t, undefined, `prlimit --rss=${last + 1n}: env -i`);
      const dog = start(t, `mark ${mark}`, `tag ${first} ${last}`);

      dog.stdin!.destroy();

      await until("it is gone", () => !isRunning(cleared), LIMIT_MS);
      await until("the watchdog is gone", () => dog.exitCode === 0);
      assert.ok(isRunning(other) && isRunning(beyond));
    });

    test("leaves a process alone whose number another one had before, or that was taken off the list", async (t) => {
      const [reused, removed, doomed] = [run(t, "exec sleep 310"), run(t, "exec sleep 311"), run(t, "exec sleep 312")];
      const busy = Array.from({ length: 200 }, (_, i) => [`add ${4_100_000 + i} 1`, `del ${4_100_000 + i}`]).flat();
      const lists = [`add ${removed} `, `add ${removed} ${startOf(removed)}`, `del ${removed}`, `add ${doomed} `];
      const dog = start(t, `mark ${newMark()}`, `add ${reused} 12345`, ...busy, ...lists);

      dog.stdin!.destroy();

      await until("the watchdog is gone", () => dog.exitCode === 0, LIMIT_MS);
      assert.deepEqual([reused, removed, doomed].map(isRunning), [true, true, false]);
    });

    test("ends nothing after a farewell, or when it was never given a mark", async (t) => {
      const child = run(t, "exec sleep 320");
      const add = `add ${child} ${startOf(child)}`;
      const dogs = [start(t, `mark ${newMark()}`, add, "bye"), start(t, add)];

      for (const dog of dogs) dog.stdin!.destroy();

      await until("both are gone", () => dogs.every((dog) => dog.exitCode === 0));
      assert.ok(isRunning(child));
    });

    test("survives the signals that are meant for the proxy, is small and shows its name", async (t) => {
      const dog = start(t, `mark ${newMark()}`);
      await until("it ignores them", () => (ignoredSignals(dog.pid!) & 0x4003n) === 0x4003n);

      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) dog.kill(signal);

      await sleep(200);
      assert.ok(isRunning(dog.pid!));
      assert.match(wordsOf(dog.pid!), /^.{1,60} proxy-watchdog $/);
      const anonymous = /^Anonymous:\s+(\d+)/m.exec(readFileSync(`/proc/${dog.pid}/smaps_rollup`, "utf8"))?.[1];
      assert.ok(Number(anonymous) < 3000, `${anonymous} KiB`);
    });
  });

/** The shells of this machine with the watchdog that each would run; BusyBox also provides the tools. */
function shells(): [name: string, watchdog: WatchdogCommand | undefined][] {
  const { small } = watchdogCommands();
  return [
    ["/bin/sh", small],
    ["bash as sh", small && runBy(small, "bash", ["sh"])],
    ["BusyBox", small && runBy(small, "busybox", ["sh", "awk", "cat", "grep", "sleep"])],
  ];
}

/** A program decides by its name what it is: bash as `sh` reads no files at its start, BusyBox is any of its tools. */
function runBy(small: WatchdogCommand, name: string, as: string[]): WatchdogCommand | undefined {
  const program = findProgram(name);
  if (!program) return undefined;
  const tools = mkdtempSync(join(tmpdir(), "proxy-tools-"));
  process.once("exit", () => rmSync(tools, { recursive: true }));
  for (const tool of as) symlinkSync(program, join(tools, tool));
  const [, ...args] = small.command;
  return { command: [join(tools, "sh"), ...args], env: { ...small.env, PATH: `${tools}:${process.env.PATH}` } };
}

function findProgram(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function tagsProcesses(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const { first } = processTagRange("a.b.1.");
    return execFileSync("prlimit", [`--rss=${first}:`, "cat", "/proc/self/limits"], { encoding: "utf8" }).includes(
      String(first),
    );
  } catch {
    return false;
  }
}

function startWatchdog(t: TestContext, { command, env }: WatchdogCommand, orders: string[]): ChildProcess {
  const [program = "", ...args] = command;
  const dog = spawn(program, args, {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
    env: { PATH: process.env.PATH, ...env },
  });
  t.after(() => dog.kill("SIGKILL"));
  dog.stdin!.on("error", () => {});
  dog.stdin!.write(orders.map((order) => `${order}\n`).join(""));
  return dog;
}

let marks = 0;
const newMark = () => `t${process.pid}.${++marks}.`;

/** A child of the proxy: it leads a group and a session. */
function run(t: TestContext, script: string): number {
  const child = spawn("sh", ["-c", script], { detached: true, stdio: "ignore", env: { PATH: process.env.PATH } });
  t.after(() => endGroup(child.pid!));
  return child.pid!;
}

/** A process in a session of its own whose parent has ended. */
async function daemon(t: TestContext, mark: string | undefined, prefix = ""): Promise<number> {
  const pid = Number(
    execFileSync("sh", ["-c", `${prefix} setsid sh -c 'echo $$; exec sleep 330 >&-' &`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env.PATH, ...(mark && { PROXY_UPSTREAM_ID: mark }) },
    }),
  );
  t.after(() => endGroup(pid));
  await until("it sleeps", () => wordsOf(pid).startsWith("sleep"));
  return pid;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function wordsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ");
  } catch {
    return "";
  }
}

/** As a mask; SIGHUP, SIGINT and SIGTERM are 0x4003. */
const ignoredSignals = (pid: number) =>
  BigInt(`0x${/^SigIgn:\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]}`);

function rowOf(pid: number | string) {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return undefined;
  }
}

const isRunning = (pid: number) => rowOf(pid) !== undefined;
const startOf = (pid: number) => rowOf(pid)?.started ?? "";

function descendants(root: number): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const children = rows.map((row) => row.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === root);
  return children.flatMap(([pid = 0]) => [pid, ...descendants(pid)]);
}
