import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import * as v from "valibot";
import { DockerIsolation } from "#lib/modules/isolation/config.ts";
import type { EngineApi } from "#lib/modules/isolation/container/api.ts";
import { markOf } from "#lib/modules/isolation/container/mark.ts";
import { startContainer } from "#lib/modules/isolation/container.ts";
import { termsOf } from "#lib/modules/isolation/plan.ts";
import { containerEngine } from "#lib/modules/isolation/state.ts";
import type { TestApp } from "#test/kit/app.ts";
import { noEngine, type TestEngine, testEngine } from "#test/kit/engine.ts";
import { call } from "#test/kit/http.ts";
import { serve } from "#test/kit/mcp.ts";
import { until as patiently } from "#test/kit/upstream.ts";
import { verifies } from "#test/kit/verifies.ts";

let engine: TestEngine;
before(async () => {
  if (!noEngine) engine = await testEngine();
});
after(async () => {
  await engine?.close();
});

const PROGRAMS = resolve("test/programs");
const hostile = (more: object = {}, env: Record<string, string> = {}) => ({
  name: "hostile",
  command: "node",
  args: ["/programs/hostile.mjs"],
  env,
  trust_mode: "auto" as const,
  isolation: { extra_args: ["-v", `${PROGRAMS}:/programs:ro`], ...more },
});

async function contained(t: TestContext, server: ReturnType<typeof hostile>, dir?: string) {
  const docker_isolation = { enabled: true, default_images: { node: engine.image }, network_mode: "none" };
  const served = await serve(t, {
    config: { docker_isolation },
    servers: [server],
    env: { DOCKER_HOST: engine.host },
    connect: true,
    ...(dir !== undefined && { dir }),
  });
  return { ...served, tool: (name: string, args: object = {}) => tool(served.app, name, args) };
}

/** A container starts within seconds; how many depends on the machine. */
const connected = (app: TestApp) =>
  patiently("it is connected", () => app.upstreams.get("hostile")!.status().state === "Ready", 120_000);

async function tool(app: TestApp, name: string, args: object): Promise<string> {
  const reply = await app.upstreams
    .get("hostile")!
    .request("tools/call", { name, arguments: args as Record<string, never> }, { timeoutMs: 60_000 });
  return (reply.result as { content: { text: string }[] }).content[0]!.text;
}

const skip = noEngine;

test("a server in a container sees neither the machine's files, nor its processes, nor its network", {
  skip,
}, async (t) => {
  const secret = join(mkdtempSync(join(tmpdir(), "proxy-")), "secret.txt");
  writeFileSync(secret, "s3cret");
  t.after(() => rmSync(resolve(secret, ".."), { recursive: true }));
  const listener = createServer((socket) => socket.on("error", () => {}).end("hello"));
  await new Promise<void>((done) => listener.listen(0, "0.0.0.0", done));
  t.after(() => listener.close());
  const { tool, app } = await contained(t, hostile());

  assert.equal(await tool("read", { path: secret }), "ENOENT");
  assert.equal(await tool("list", { path: "/home" }), "proxy");
  assert.equal(await tool("write", { path: "/usr/bin/node" }), "EROFS");
  assert.equal(await tool("write", { path: "/programs/x" }), "EROFS");
  for (const path of ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"])
    assert.match(await tool("open", { path }), /^(EROFS|EACCES|ENOENT)$/, path);
  assert.equal(await tool("write", { path: "/tmp/x" }), "written");
  assert.equal(await tool("write", { path: "/home/proxy/x" }), "written");
  const { port } = listener.address() as { port: number };
  assert.match(await tool("reach", { host: "127.0.0.1", port }), /ECONNREFUSED/);
  assert.match(await tool("reach", { host: "169.254.169.254", port: 80 }), /ENETUNREACH|EHOSTUNREACH/);
  const told = JSON.parse(await tool("tell"));
  assert.deepEqual([told.caps, told.noNewPrivileges], ["0000000000000000", "1"]);
  assert.ok(told.processes <= 3, `${told.processes} processes in sight`);
  assert.equal(app.upstreams.get("hostile")!.status().state, "Ready");
});

test("no value of its environment is on any command line, and none of the machine's own reaches it", {
  skip,
}, async (t) => {
  const canary = "canary-9f8e7d6c5b4a";
  const { tool } = await contained(t, hostile({}, { API_KEY: canary }));

  const { env } = JSON.parse(await tool("tell"));
  assert.deepEqual([env.API_KEY, env.HOME], [canary, "/home/proxy"]);
  assert.ok(!("DOCKER_HOST" in env) && env.PATH !== process.env.PATH);
  const lines = (await import("node:child_process")).execFileSync("ps", ["axww", "-o", "args="], { encoding: "utf8" });
  assert.ok(!lines.includes(canary));
});

test("a bomb of processes and one that eats memory are stopped by its bounds; it comes back and the proxy is unharmed", {
  skip,
}, async (t) => {
  const { tool, app } = await contained(t, hostile({ memory_limit: "256m" }));

  const started = Number(await tool("multiply", { times: 700 }));
  assert.ok(started > 100 && started < 512, `${started} started`);
  await assert.rejects(tool("eat", { megabytes: 600 }), /more memory than memory_limit|exited with code 137/);
  await connected(app);
  assert.equal(await tool("eat", { megabytes: 10 }), "ate 10");
});

test("when the proxy ends, so do its containers; what a killed one left is removed at the next start, others' are not", {
  skip,
}, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const list = () => engine.podman("ps", "-a", "--format", "{{.Names}} {{.Labels}}").trim();
  const { app } = await contained(t, hostile(), dir);
  const [, instance = ""] = /proxy\.instance:(\w+)/.exec(list()) ?? [];
  assert.match(list(), /proxy\.managed:true/);
  await app.close();
  assert.equal(list(), "");

  engine.podman("run", "-d", "--name", "left", "--label", `proxy.instance=${instance}`, engine.image, "sleep", "60");
  engine.podman("run", "-d", "--name", "other", "--label", "proxy.instance=another", engine.image, "sleep", "60");
  await contained(t, hostile(), dir);
  assert.doesNotMatch(list(), /^left /m);
  assert.match(list(), /^other /m);
  engine.podman("rm", "-f", "-t", "0", "other");
});

verifies(
  ["rest.container.get", "rest.container.recovery"],
  "switching isolation over REST moves a running server in and out of its container",
  async (t) => {
    if (skip) return t.skip(skip);
    const server = { ...hostile(), args: [resolve("test/programs/hostile.mjs")] };
    server.isolation.extra_args = ["-v", `${PROGRAMS}:${PROGRAMS}:ro`];
    const { app, tool } = await contained(t, server);
    const pid = () => app.upstreams.get("hostile")!.status().pid;
    assert.equal(pid(), undefined);
    const status = await call(app, "GET /api/v1/container/status", {});
    assert.deepEqual([status.container_available, status.isolation_enabled, status.recovery_mode], [true, true, false]);

    await call(app, "PATCH /api/v1/config/container-isolation", { body: { enabled: false } });
    await patiently("the plain process", () => pid() !== undefined, 120_000);
    assert.ok(existsSync(`/proc/${pid()}`));
    await call(app, "PATCH /api/v1/config/container-isolation", { body: { enabled: true } });
    const inside = () => app.upstreams.get("hostile")!.status().state === "Ready" && pid() === undefined;
    await patiently("the container", inside, 120_000);
    assert.match(await tool("tell"), /"noNewPrivileges":"1"/);
  },
);

test("a server's home survives its container, and goes when the server is removed", { skip }, async (t) => {
  const { app, tool } = await contained(t, hostile());
  const volumes = () => engine.podman("volume", "ls", "-q").trim().split("\n").filter(Boolean);
  await tool("write", { path: "/home/proxy/kept" });
  await app.upstreams.get("hostile")!.restart("a test");
  await connected(app);
  assert.match(await tool("list", { path: "/home/proxy" }), /kept/);
  const [own] = volumes().filter((name) => name.includes(app.part(containerEngine).mark.instance));
  assert.ok(own);

  await app.config.update((draft) => {
    draft.mcpServers = [];
  }, "a test");
  await patiently("its volume is gone", () => !volumes().includes(own), 120_000);
});

/** What inits write when the image lacks the command, and the status they end with. */
const INITS: [name: string, words: string, status: number][] = [
  ["catatonit", "ERROR (catatonit:6): failed to exec pid1: No such file or directory", 1],
  ["docker-init", "[FATAL tini (6)] exec uvx failed: No such file or directory", 127],
];
const SERVER = "Traceback: config.json: No such file or directory";

/** An engine whose containers write `words` to standard error and end. */
async function engineWith(t: TestContext, words: string, status: number): Promise<EngineApi> {
  const data = Buffer.from(`${words}\n`);
  const header = Buffer.from([2, 0, 0, 0, 0, 0, 0, data.length]);
  const server = createServer((socket) => socket.on("error", () => {}).end(Buffer.concat([header, data])));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  return {
    async ask(_, path) {
      if (path.startsWith("/containers/create")) return { Id: "0123456789ab" };
      return path.endsWith("0123456789ab/json") ? { State: { Running: false, ExitCode: status } } : {};
    },
    attach: async () => ({ socket: connect(port, "127.0.0.1"), head: Buffer.alloc(0) }),
  };
}

test("an image without the command is named, whatever init the engine puts in front of it", async (t) => {
  const rows = [
    ...INITS.map(([name, words, status]) => ({
      name,
      words,
      status,
      ends: /^did not start: image own:1 has no "uvx"/,
    })),
    { name: "a server's own words", words: SERVER, status: 1, ends: /^exited with code 1$/ },
  ];
  for (const { name, words, status, ends } of rows) {
    const terms = termsOf({ command: "uvx", isolation: { image: "own:1" } }, v.parse(DockerIsolation, {}));
    const child = await startContainer(
      await engineWith(t, words, status),
      {
        server: "one",
        mark: markOf("/data"),
        terms,
        target: { command: "uvx", args: [], declaredEnv: {}, workingDir: undefined },
        guarded: { dataDir: "/data", home: "/home/me", sockets: [] },
      },
      { signal: t.signal, onLine: () => {}, timeoutMs: 10_000, fetching: new Map() },
    );
    let heard = "";
    child.stderr.on("data", (part) => (heard += part));

    const how = await new Promise<string>((done) => child.onEnd(done));

    assert.match(how, ends, name);
    assert.equal(heard.trim(), words, "its words go to its log all the same");
  }
});

test("an image without the command, one that is not there, and a flag that would undo the isolation are named", {
  skip,
}, async (t) => {
  const fails = async (server: object, reason: RegExp) => {
    const { app } = await serve(t, {
      config: { docker_isolation: { enabled: true, default_images: { node: engine.image } } },
      servers: [{ ...hostile(), ...server }],
      env: { DOCKER_HOST: engine.host },
    });
    app.upstreams.start();
    await patiently("the failure", () => app.upstreams.get("hostile")!.status().lastError !== undefined, 120_000);
    assert.match(app.upstreams.get("hostile")!.status().lastError!, reason);
  };
  await fails({ command: "uvx", isolation: { image: engine.image } }, /has no "uvx"; set isolation\.image/);
  await fails({ isolation: { image: "localhost/not-there:1" } }, /image localhost\/not-there:1 could not be fetched/);
  await fails({ isolation: { extra_args: ["--privileged"] } }, /--privileged would weaken the isolation/);
});
