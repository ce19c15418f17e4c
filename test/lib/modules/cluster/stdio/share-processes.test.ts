import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { UpstreamError } from "#lib/core/upstream/errors.ts";
import { runWatchdog } from "#lib/daemon/watchdog.ts";
import { applySteps } from "#lib/modules/cluster/apply-steps.ts";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { monotonicMs } from "#lib/modules/cluster/lease.ts";
import { SCHEMA_STEPS } from "#lib/modules/cluster/schema-step.ts";
import { joinReplicas } from "#lib/modules/cluster/stdio/replica-membership.ts";
import { shareProcesses } from "#lib/modules/cluster/stdio/share-processes.ts";
import { startLink } from "#test/kit/link.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder, type Scope } from "#test/kit/program.ts";
import { memoryLog, testUpstreams, until } from "#test/kit/upstream.ts";

// This file is its own helper: started again in a role, it is a replica or the watchdog of one.
const SELF = fileURLToPath(import.meta.url);
const ROLE = process.env.UPSTREAM_TEST_ROLE ?? process.argv[2];
if (ROLE === "watchdog") void runWatchdog().then(() => process.exit(0));
else if (ROLE === "replica") void runReplica();
else await tests();

interface ReplicaOptions {
  readonly url: string;
  readonly id: string;
  readonly file: string;
  readonly ttlMs: number;
  readonly everywhere?: boolean;
}

/** A replica with one acting server, which it connects to if it owns it. It ends when its input does. */
async function runReplica() {
  const { url, id, file, ttlMs, everywhere } = JSON.parse(process.env.REPLICA ?? "{}") as ReplicaOptions;
  const { log } = memoryLog();
  const database = openDatabase(databaseTarget(url), { name: id, timeoutMs: 1000 });
  const membership = joinReplicas({ id, address: "unused:1", database, log, ttlMs });
  const shared = shareProcesses({
    database,
    onReleased: () => {},
    membership,
    log,
    connect: async (owner) => {
      throw new UpstreamError(`${owner.id} runs it`);
    },
  });
  const all = testUpstreams({
    servers: [{ name: "acting", command: process.execPath, args: ["test/programs/acting-server.mjs", file] }],
    placement: {
      ...shared,
      notified: () => {},
      leave: async () => {},
      close: async () => {},
      ...(everywhere && { place: async () => undefined }),
    },
    watchdogs: { complete: { command: [process.execPath, SELF, "watchdog"] } },
  });
  membership.onEnded(() => all.upstreams.retry("a replica has ended"));
  let shown: number | undefined;
  setInterval(() => {
    const { pid } = all.upstream("acting").status();
    if (pid !== shown && pid !== undefined) process.stdout.write(`${JSON.stringify({ pid })}\n`);
    shown = pid;
  }, 5);
  process.stdin.on("data", async () => {
    await all.close();
    await membership.close();
    database.close();
    process.exit(0);
  });
}

interface Act {
  readonly at: number;
  readonly pid: number;
}

async function tests() {
  const skip = withoutPostgres;
  const server = skip ? undefined : await startPostgres(after);
  const TTL_MS = 1600;
  /** So long that only the release of a lease can explain an early successor. */
  const LONG_TTL_MS = 20_000;

  const open = async (t: Scope) => {
    const url = server!.database();
    const database = openDatabase(databaseTarget(url), { name: "share-processes.test" });
    await applySteps(database, SCHEMA_STEPS, { id: "test" });
    database.close();
    const file = join(folder(t), "acts");
    writeFileSync(file, "");
    return { url, file };
  };
  /** Starts a replica and returns its process and the process id of its server, once it has one. */
  const replica = (t: Scope, options: Partial<ReplicaOptions> & Pick<ReplicaOptions, "url" | "id" | "file">) => {
    const child = spawn(process.execPath, [SELF], {
      env: {
        PATH: process.env.PATH,
        UPSTREAM_TEST_ROLE: "replica",
        REPLICA: JSON.stringify({ ttlMs: TTL_MS, ...options }),
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    t.after(() => void child.kill("SIGKILL"));
    const state: { pid: number | undefined; child: ChildProcess; id: string } = {
      pid: undefined,
      child,
      id: options.id,
    };
    createInterface({ input: child.stdout }).on("line", (line) => {
      state.pid = (JSON.parse(line) as { pid: number }).pid;
    });
    return state;
  };
  const acts = (file: string): Act[] =>
    readFileSync(file, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split(" "))
      .map(([at, pid]) => ({ at: Number(at), pid: Number(pid) }));
  const lastPid = (file: string) => acts(file).at(-1)?.pid;
  type Replica = ReturnType<typeof replica>;
  /** Waits until the last act is of a server whose replica has named it, and returns that replica. */
  const acting = async (replicas: readonly Replica[], file: string): Promise<Replica> => {
    let owner: Replica | undefined;
    await until("a server of a known replica acts", () => {
      const last = lastPid(file);
      owner = last === undefined ? undefined : replicas.find(({ pid }) => pid === last);
      return owner;
    });
    return owner!;
  };
  /** Fails if a process acted after the first act of a later one. */
  const assertNoOverlap = (file: string): number[] => {
    const order = [...new Set(acts(file).map(({ pid }) => pid))];
    const spans = order.map((pid) => acts(file).filter((act) => act.pid === pid));
    for (const [n, span] of spans.entries()) {
      const next = spans[n + 1]?.[0];
      if (next) assert.ok(span.at(-1)!.at < next.at, `process ${order[n]} acted after process ${order[n + 1]} began`);
    }
    return order;
  };

  test("a server has one process at a time, though replicas that run it are killed and stopped", {
    skip,
  }, async (t) => {
    const { url, file } = await open(t);
    let made = 0;
    const start = () => replica(t, { url, id: `r${made++}`, file });
    const replicas = [start(), start(), start()];
    const rounds = ["SIGKILL", "SIGSTOP", "SIGKILL", "SIGSTOP"] as const;

    for (const signal of rounds) {
      const owner = await acting(replicas, file);
      const before = owner.pid;
      owner.child.kill(signal);
      await until("another process acts", () => lastPid(file) !== before, 10_000);
      if (signal === "SIGKILL") replicas.push(start());
      else owner.child.kill("SIGCONT");
      await new Promise((done) => setTimeout(done, 700));
    }

    assert.ok(assertNoOverlap(file).length >= rounds.length + 1);
  });

  test("a replica that ends in an orderly way is replaced before its lease would have ended", { skip }, async (t) => {
    const { url, file } = await open(t);
    const replicas = ["a", "b"].map((id) => replica(t, { url, id, file, ttlMs: LONG_TTL_MS }));
    const owner = await acting(replicas, file);
    const before = owner.pid;
    await new Promise((done) => setTimeout(done, 1000));

    owner.child.stdin!.write("close\n");
    await until("another process acts", () => lastPid(file) !== before, 10_000);

    const order = assertNoOverlap(file);
    const [last, first] = [
      acts(file).findLast(({ pid }) => pid === order[0]),
      acts(file).find(({ pid }) => pid === order[1]),
    ];
    assert.ok(first!.at - last!.at < 5000, `${first!.at - last!.at} ms between the two processes`);
  });

  test("a replica that is cut off from the database ends its process before another one starts it", {
    skip,
  }, async (t) => {
    const { url, file } = await open(t);
    const link = await startLink(t, server!.port);
    const cut = replica(t, { url: link.through(url), id: "cut", file });
    await acting([cut], file);
    const other = replica(t, { url, id: "other", file });
    await new Promise((done) => setTimeout(done, 500));

    link.freeze();
    await until("the other one runs it", () => other.pid, 10_000);
    await new Promise((done) => setTimeout(done, 300));

    assert.equal(assertNoOverlap(file).length, 2);
    link.thaw();
    await new Promise((done) => setTimeout(done, 1500));
    assert.equal(assertNoOverlap(file).length, 2);
  });

  test("a server may run once on each replica", { skip }, async (t) => {
    const { url, file } = await open(t);
    const replicas = ["a", "b"].map((id) => replica(t, { url, id, file, everywhere: true }));

    await until("both run it", () => replicas.every(({ pid }) => pid));

    assert.notEqual(replicas[0]!.pid, replicas[1]!.pid);
  });

  test("a process started by a replica whose lease has just ended is killed at once", { skip }, async (t) => {
    const { url, file } = await open(t);
    const database = openDatabase(databaseTarget(url), { name: "late" });
    t.after(() => database.close());
    const { log } = memoryLog();
    const gone = new AbortController();
    let held = true;
    const all = testUpstreams({
      servers: [{ name: "acting", command: process.execPath, args: ["test/programs/acting-server.mjs", file] }],
      placement: {
        async place() {
          return {
            where: "here",
            // The lease ends while the process starts: it is held at the first question and not at the second.
            lease: {
              id: "1",
              until: () => monotonicMs() - 1,
              isHeld: () => {
                const answer = held;
                held = false;
                return answer;
              },
              lost: gone.signal,
            },
            release: async () => {},
          };
        },
        onLease: () => {},
        notified: () => {},
        leave: async () => {},
        close: async () => {},
      },
      watchdogs: { complete: { command: [process.execPath, SELF, "watchdog"] } },
    });
    t.after(() => all.close());

    await until("the attempt has failed", () => all.upstream("acting").status().state === "Error");

    await new Promise((done) => setTimeout(done, 500));
    assert.equal(readFileSync(file, "utf8"), "", log.toString());
  });
}
