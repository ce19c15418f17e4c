import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import type { ConnectionState } from "#lib/core/schema/connection-status.ts";
import { backoffMs, signInRetryMs } from "#lib/core/upstream/backoff.ts";
import { isTransitionAllowed } from "#lib/core/upstream/transitions.ts";
import { callTool, startProgram, stdioServer, testUpstreams, textOf, until } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";

const STATES: ConnectionState[] = ["Disconnected", "Connecting", "Authenticating", "Ready", "Error"];

verifies(
  [
    "upstream.state.disconnected",
    "upstream.state.connecting",
    "upstream.state.authenticating",
    "upstream.state.ready",
    "upstream.state.error",
  ],
  "the five states move only as the table says (spec 001 §3)",
  () => {
    const moves = STATES.flatMap((from) =>
      STATES.filter((to) => isTransitionAllowed(from, to)).map((to) => `${from} → ${to}`),
    );

    assert.deepEqual(moves, [
      "Disconnected → Connecting",
      "Connecting → Disconnected",
      "Connecting → Authenticating",
      "Connecting → Ready",
      "Connecting → Error",
      "Authenticating → Disconnected",
      "Authenticating → Connecting",
      "Authenticating → Ready",
      "Authenticating → Error",
      "Ready → Disconnected",
      "Ready → Error",
      "Error → Disconnected",
      "Error → Connecting",
    ]);
  },
);

test("waits between attempts double from 1 s to 5 min, with jitter, and never end", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 8, 9, 10, 1000].map((n) => backoffMs(n, 0)),
    [1000, 2000, 4000, 8000, 128_000, 256_000, 300_000, 300_000],
  );
  assert.equal(backoffMs(1, 1), 800);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(signInRetryMs),
    [300_000, 900_000, 3_600_000, 14_400_000, 86_400_000, 86_400_000],
  );
});

test("a child that is killed is started again and calls work again", async () => {
  const all = testUpstreams({ servers: [stdioServer("one")] });
  try {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready");
    const pid = one.status().pid!;
    const waiting = callTool(one, "slow", { ms: 60_000 });
    setTimeout(() => process.kill(pid, "SIGKILL"), 50);

    await assert.rejects(waiting, {
      code: "upstream_failed",
      message: /"one" failed: its process was ended by SIGKILL/,
    });
    const broken = one.status();
    assert.equal(broken.state, "Error");
    assert.match(broken.lastError!, /SIGKILL/);
    assert.ok(broken.nextAttemptAt! > Date.now());
    await assert.rejects(callTool(one, "echo"), { code: "server_not_ready" });

    await until("ready again", () => one.status().state === "Ready");
    assert.notEqual(one.status().pid, pid);
    assert.equal(one.status().reconnects, 1);
    assert.equal(one.status().lastError, undefined);
    assert.equal(textOf(await callTool(one, "echo", { a: 1 })), '{"a":1}');
  } finally {
    await all.close();
  }
});

test("a tool that takes its server down with it fails that call only", async () => {
  const all = testUpstreams({ servers: [stdioServer("one")] });
  try {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready");

    await assert.rejects(callTool(one, "crash"), { code: "upstream_failed", message: /exited with code 7/ });

    await until("ready again", () => one.status().state === "Ready");
    assert.equal(textOf(await callTool(one, "echo", {})), "{}");
  } finally {
    await all.close();
  }
});

test("an upstream that cannot start is tried again and again, and says why", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const all = testUpstreams({ servers: [stdioServer("one", "--fail-starts", `${join(dir, "starts")}:3`)] });
  try {
    const one = all.upstream("one");
    await until("first failure", () => one.status().attempts === 1);
    // The first process might have ended because of the probe, so there was a second one.
    assert.match(one.status().lastError!, /exited with code 4: failing on purpose, start 2/);

    await until("second failure", () => one.status().attempts === 2);
    const wait = one.status().nextAttemptAt! - one.status().since;
    // The two moments are read one after the other.
    assert.ok(Math.abs(wait - 2000) <= 20, `${wait} ms`);

    await until("ready", () => one.status().state === "Ready");
    assert.equal(one.status().attempts, 0);
    assert.equal(one.status().nextAttemptAt, undefined);
    assert.ok(all.serverLines.some((l) => l === "one info stderr: failing on purpose, start 1"));
    // Only the first attempt starts it twice.
    assert.equal(all.serverLines.filter((l) => l.includes("it is started again")).length, 1);
  } finally {
    await all.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

const HOPELESS: [what: string, entry: Record<string, unknown>, says: RegExp, errorClass?: string][] = [
  [
    "a command that does not exist",
    { command: "no-such-command-here" },
    /"no-such-command-here": not found; is it inst/,
  ],
  [
    "a working_dir that does not exist",
    { command: "node", working_dir: "/no/such/dir" },
    /working_dir \/no\/such\/dir is/,
  ],
  [
    "a program that is no MCP server",
    { command: process.execPath, args: ["-e", "0"] },
    /its process exited with code 0/,
    "process_exited",
  ],
  ["an address where nothing listens", { url: "http://127.0.0.1:9/mcp" }, /no program listens at 127\.0\.0\.1:9/],
  ["a name that does not exist", { url: "http://no-such-host.invalid/mcp" }, /the host name no-such-host\.invalid/],
];
for (const [what, entry, says, errorClass = "connection_failed"] of HOPELESS)
  test(`${what} is an Error that says so`, async () => {
    const all = testUpstreams({ servers: [{ name: "one", ...entry }] });
    try {
      const one = all.upstream("one");
      await until("an error", () => one.status().state === "Error");

      assert.match(one.status().lastError!, says);
      assert.equal(one.status().errorClass, errorClass);
      assert.ok(one.status().nextAttemptAt);
    } finally {
      await all.close();
    }
  });

test("an upstream that never answers the handshake fails after init_timeout; a slow one is waited for", async () => {
  const all = testUpstreams({
    servers: [
      { ...stdioServer("mute", "--mute"), init_timeout: "1s" },
      { ...stdioServer("slow", "--init-delay", "1500"), init_timeout: "10s" },
    ],
  });
  try {
    const mute = all.upstream("mute");
    await until("mute fails", () => mute.status().state === "Error", 5000);
    assert.match(mute.status().lastError!, /not ready within 1 s; if it needs longer, raise init_timeout/);
    assert.equal(mute.status().errorClass, "timed_out");
    assert.equal(all.upstream("slow").status().state, "Connecting");

    await until("slow is ready", () => all.upstream("slow").status().state === "Ready");
  } finally {
    await all.close();
  }
});

test("a missing secret is named, retried, and found as soon as it is set", async () => {
  const secrets: Record<string, string> = {};
  const all = testUpstreams({
    servers: [{ ...stdioServer("one"), env: { TOKEN: "${keyring:token}" } }],
    secrets,
  });
  try {
    const one = all.upstream("one");
    await until("an error", () => one.status().state === "Error");
    assert.equal(one.status().missingSecret, "${keyring:token}");
    assert.match(one.status().lastError!, /secret \$\{keyring:token\} is not set/);
    assert.equal(one.status().errorClass, "missing_secret");

    secrets["keyring:token"] = "s3cretvalue";
    all.events.publish("secrets.changed", { operation: "store", secret_name: "token" });

    await until("ready", () => one.status().state === "Ready", 900);
    assert.equal(one.status().missingSecret, undefined);
    const { env } = JSON.parse(textOf(await callTool(one, "environment"))) as { env: Record<string, string> };
    assert.equal(env.TOKEN, "s3cretvalue");
  } finally {
    await all.close();
  }
});

test("a secret that stands in the entry itself reaches no log line and no error, however its server says it", async () => {
  const says =
    "const t = process.env.API_TOKEN; for (const s of [t, encodeURIComponent(t), JSON.stringify(t), btoa(t), process.argv[2]]) console.error('uses ' + s); process.exit(5)";
  const all = testUpstreams({
    servers: [
      {
        name: "one",
        command: process.execPath,
        args: ["-e", says, "--", "--api-key=strawberry fields", "strawberry fields"],
        env: { API_TOKEN: 'tangerine "dream" & more' },
      },
    ],
  });
  try {
    const one = all.upstream("one");
    await until("an error", () => one.status().state === "Error");

    const told = [one.status().lastError!, ...all.logLines, ...all.serverLines].join("\n");
    // It is started twice, since the probe may have ended it.
    assert.equal(told.match(/stderr: uses "?••••/g)?.length, 10, told);
    assert.doesNotMatch(told, /tangerine|strawberry|dGFuZ2/);
  } finally {
    await all.close();
  }
});

test("values of references never reach a log line or an error", async () => {
  const all = testUpstreams({
    servers: [
      {
        name: "one",
        command: process.execPath,
        args: ["-e", "console.error('token is ' + process.argv[1]); process.exit(5)", "${env:SECRET}"],
      },
    ],
    secrets: { "env:SECRET": "sk-verysecret" },
  });
  try {
    const one = all.upstream("one");
    await until("an error", () => one.status().state === "Error");

    assert.match(one.status().lastError!, /exited with code 5: token is ••••et \(13 chars\)$/);
    assert.ok(all.serverLines.includes("one info stderr: token is ••••et (13 chars)"));
    assert.ok(![...all.logLines, ...all.serverLines].some((l) => l.includes("sk-verysecret")));
  } finally {
    await all.close();
  }
});

test("a child gets a clean environment: the safe part of ours, what is configured, nothing else", async () => {
  const all = testUpstreams({
    servers: [
      {
        ...stdioServer("one"),
        env: { OWN: "1" },
        working_dir: tmpdir(),
        args: [`${process.cwd()}/test/programs/upstream-stdio.mjs`],
      },
    ],
    env: { PATH: process.env.PATH, HOME: "/home/x", AWS_SECRET_ACCESS_KEY: "no", ALLOWED: "yes", LC_ALL: "C" },
    config: { environment: { allowed_system_vars: ["ALLOWED"], custom_vars: { EVERY: "one" } } },
  });
  try {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready");

    const { env, cwd } = JSON.parse(textOf(await callTool(one, "environment")));

    assert.deepEqual(
      Object.keys(env)
        .filter((k) => k !== "PATH")
        .sort(),
      ["ALLOWED", "EVERY", "HOME", "LC_ALL", "OWN", "PROXY_UPSTREAM_ID"],
    );
    assert.equal(cwd, tmpdir());
  } finally {
    await all.close();
  }
});

test("disabling stops, enabling starts, removing forgets; the neighbour is not touched", async () => {
  const all = testUpstreams({ servers: [stdioServer("one"), stdioServer("two")] });
  try {
    const [one, two] = [all.upstream("one"), all.upstream("two")];
    await until("listed", () => one.status().listing?.listed && two.status().listing?.listed);
    const { pid } = one.status();
    const neighbour = two.status();

    all.edit("one", (s) => (s.enabled = false));
    assert.equal(one.status().state, "Disconnected");
    await assert.rejects(callTool(one, "echo"), { code: "server_not_ready", message: /disabled/ });
    await until("its process is gone", () => !existsSync(`/proc/${pid}`));

    all.edit("one", (s) => (s.enabled = true));
    await until("ready again", () => one.status().state === "Ready");

    all.config.change((draft) => draft.mcpServers.shift());
    assert.equal(all.upstreams.get("one"), undefined);
    assert.equal(one.status().state, "Disconnected");
    assert.deepEqual(all.dropped, [], "the catalog is told by whoever follows the configuration");
    assert.deepEqual(two.status(), neighbour);
  } finally {
    await all.close();
  }
});

test("only a change of what is run or reached connects anew", async () => {
  const all = testUpstreams({ servers: [stdioServer("one"), stdioServer("two")] });
  try {
    const [one, two] = [all.upstream("one"), all.upstream("two")];
    await until("ready", () => one.status().state === "Ready" && two.status().state === "Ready");
    const before = [one.status().pid, two.status().pid];

    all.edit("one", (s) => {
      s.quarantined = true;
      s.call_tool_timeout = "5s";
      s.health_check_interval = "7s";
      s.max_concurrent_requests = 3;
      s.disabled_tools = ["echo"];
    });
    assert.deepEqual([one.status().pid, two.status().pid], before);

    all.edit("one", (s) => (s.env = { NEW: "1" }));
    await until("a new process", () => one.status().pid !== before[0] && one.status().state === "Ready");
    assert.equal(two.status().pid, before[1]);
  } finally {
    await all.close();
  }
});

test("restart makes a new connection and resolves when it stands", async () => {
  const all = testUpstreams({ servers: [stdioServer("one")] });
  try {
    const one = all.upstream("one");
    await one.ensureReady(10_000);
    const { pid } = one.status();

    await one.restart("asked for");

    assert.equal(one.status().state, "Ready");
    assert.notEqual(one.status().pid, pid);
    assert.ok(!existsSync(`/proc/${pid}`));
  } finally {
    await all.close();
  }
});

test("restart rejects at the first failure and goes on trying", async () => {
  const all = testUpstreams({ servers: [{ name: "one", command: "no-such-command-here" }] });
  try {
    const one = all.upstream("one");

    await assert.rejects(one.restart("asked for"), { code: "server_not_ready", message: /not found/ });

    assert.ok(one.status().nextAttemptAt);
  } finally {
    await all.close();
  }
});

test("ensureReady joins one attempt for all who ask, and does not wait for the appointed time", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  // What is appointed comes a hundred times later, so that nobody who waits for it is in time.
  const clock = { ...systemClock, after: (ms: number, fn: () => void) => systemClock.after(ms * 100, fn) };
  const all = testUpstreams({ servers: [stdioServer("one", "--fail-starts", `${join(dir, "starts")}:2`)], clock });
  try {
    const one = all.upstream("one");
    await until("failed once", () => one.status().attempts === 1);
    const asked = Date.now();

    await Promise.all(Array.from({ length: 20 }, () => one.ensureReady(15_000)));

    assert.ok(Date.now() - asked < 40_000, "the next attempt was due 50 to 100 s later");
    const stats = JSON.parse(textOf(await callTool(one, "stats"))) as { initializes: number };
    assert.equal(stats.initializes, 1);
  } finally {
    await all.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

test("ensureReady ends in time, at a failure, at an abort, and at once for a disabled server", async () => {
  const all = testUpstreams({
    servers: [
      { ...stdioServer("mute", "--mute"), init_timeout: "20s" },
      { name: "none", command: "no-such-command-here" },
      { ...stdioServer("off"), enabled: false },
    ],
  });
  try {
    await assert.rejects(all.upstream("mute").ensureReady(100), { code: "server_not_ready", message: /Connecting/ });
    await assert.rejects(all.upstream("mute").ensureReady(5000, AbortSignal.abort()), { code: "cancelled" });
    await assert.rejects(all.upstream("none").ensureReady(5000), { code: "server_not_ready", message: /not found/ });
    await assert.rejects(all.upstream("off").ensureReady(5000), { code: "server_not_ready", message: /disabled/ });
  } finally {
    await all.close();
  }
});

test("closing ends everything, even an attempt that hangs", async () => {
  const sse = await startProgram("upstream-sse.mjs");
  const all = testUpstreams({
    servers: [stdioServer("mute", "--mute"), stdioServer("one"), { name: "sse", url: sse.url, protocol: "sse" }],
  });
  await until("ready", () => all.upstream("one").status().state === "Ready");
  const began = Date.now();

  await all.close();

  assert.ok(Date.now() - began < 15_000);
  await sse.kill();
});
