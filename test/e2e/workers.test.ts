import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder, runProgram } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";
import { type Daemon, KEY, serve } from "./daemon.ts";

const skip = withoutPostgres || (process.platform === "win32" && "it reads /proc");
const server = skip ? undefined : await startPostgres(after);

function workers(t: TestContext): Promise<Daemon> {
  const env = {
    DATABASE_URL: server!.database(),
    CLUSTER_KEY: randomBytes(32).toString("base64"),
    SERVICE_WORKERS: "2",
  };
  const cluster = { database_url: `\${env:DATABASE_URL}`, encryption_keys: [`\${env:CLUSTER_KEY}`] };
  return serve(t, { config: { cluster, metrics: { enabled: true } }, env });
}

/** The worker that answers a request on a new connection. */
async function workerAt({ url }: Daemon): Promise<string | null> {
  try {
    // A connection that a worker was given when it was killed gets no answer.
    const signal = AbortSignal.timeout(2000);
    const response = await fetch(`${url}/healthz`, { headers: { connection: "close" }, signal });
    await response.text();
    return response.headers.get("x-proxy-worker");
  } catch {
    return null;
  }
}

/** The process ids of the workers by their number. */
function pidsOf(daemon: Daemon): Map<string, number> {
  const pid = daemon.child.pid!;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  return new Map(
    children.flatMap((child) => {
      const number = /(?:^|\0)PROXY_WORKER=(\d+)\//.exec(readFileSync(`/proc/${child}/environ`, "utf8"))?.[1];
      return number === undefined ? [] : [[number, child] as const];
    }),
  );
}

const both = async (daemon: Daemon) => {
  const seen = new Set<string>();
  await until("both workers answer", async () => seen.add((await workerAt(daemon)) ?? "1").size === 2);
  return [...seen].sort();
};

test("two workers answer at one address and share everything; the metrics are those of both", { skip }, async (t) => {
  const daemon = await workers(t);

  assert.deepEqual(await both(daemon), ["1", "2"]);
  await daemon.rest("POST /tokens", { name: "shared" });
  await until("each request finds the token", async () => {
    const found = await Promise.all([1, 2, 3, 4].map(() => daemon.rest("GET /tokens")));
    return found.every(({ tokens }) => tokens.length === 1);
  });
  const metrics = await (await fetch(`${daemon.url}/metrics`, { headers: { "x-api-key": KEY } })).text();
  for (const number of [1, 2])
    assert.match(metrics, new RegExp(`^process_resident_memory_bytes\\{worker="${number}"\\} \\d`, "m"));
  assert.equal(metrics.match(/^# TYPE process_resident_memory_bytes /gm)?.length, 1);
  assert.match(await daemon.cli("status"), /is running/, "the local socket is that of the workers");
});

test("a killed worker is started again, and the other one goes on meanwhile", { skip }, async (t) => {
  const daemon = await workers(t);
  await both(daemon);
  const former = pidsOf(daemon);

  process.kill(former.get("1")!, "SIGKILL");
  await until("the other one answers", async () => (await workerAt(daemon)) === "2");
  await until("it runs again", () => {
    const now = pidsOf(daemon).get("1");
    return now !== undefined && now !== former.get("1");
  });

  assert.deepEqual(await both(daemon), ["1", "2"]);
  assert.equal(pidsOf(daemon).get("2"), former.get("2"));
});

test("SIGTERM stops all workers, after the calls under way", { skip }, async (t) => {
  const daemon = await workers(t);
  await both(daemon);
  const pids = [...pidsOf(daemon).values()];
  const exited = new Promise((done) => daemon.child.once("exit", (code, signal) => done(code ?? signal)));

  daemon.child.kill("SIGTERM");

  assert.equal(await exited, 0);
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), /ESRCH/);
});

test("a second SIGTERM ends all workers at once, also one that hangs", { skip }, async (t) => {
  const daemon = await workers(t);
  await both(daemon);
  const pids = [...pidsOf(daemon).values()];
  process.kill(pids[0]!, "SIGSTOP");

  daemon.child.kill("SIGTERM");
  // Signals that come closer together count as one.
  await sleep(300);
  daemon.child.kill("SIGTERM");

  const { code, err } = await daemon.ended;
  assert.equal(code, 143);
  assert.doesNotMatch(err, /did not stop/, "it was killed by the second signal, not by the time limit of the first");
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), /ESRCH/);
});

test("without a shared database, and with an invalid number, the command says what to do", async (t) => {
  const dir = folder(t);
  const started = (...args: string[]) =>
    runProgram(t, ["serve", "--data-dir", dir, "--listen", "127.0.0.1:0", ...args]);

  const alone = await started("--workers", "2");
  const invalid = await started("--workers", "many");
  const stdio = await started("--workers", "2", "--stdio");

  assert.notEqual(alone.code, 0);
  assert.match(alone.err, /--workers needs a database that the workers share; set cluster\.database_url/);
  assert.match(invalid.err, /--workers must be a number from 1 to 256, or auto/);
  assert.match(stdio.err, /--workers cannot be used with --stdio/);
});
