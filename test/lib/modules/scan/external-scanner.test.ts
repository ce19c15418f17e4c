import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { EngineApi } from "#lib/modules/isolation/container/api.ts";
import { containerEngine } from "#lib/modules/isolation/state.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";

const ID = "0123456789abcdef";
const params = { name: "git" };

/** One frame of a container's output. */
function frame(text: string, stream = 1): Buffer {
  const head = Buffer.alloc(8);
  head[0] = stream;
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** An engine that runs `program` in place of a container, over a real connection. */
async function engine(program: (input: string, out: Socket) => void) {
  const asked: { method: string; path: string; body: unknown }[] = [];
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    let input = "";
    socket.on("data", (chunk) => {
      input += chunk;
    });
    socket.on("end", () => program(input, socket));
    socket.on("error", () => {});
  });
  const dir = mkdtempSync(join(tmpdir(), "engine-"));
  await new Promise<void>((done) => server.listen(join(dir, "s"), done));
  const { connect } = await import("node:net");
  const api: EngineApi = {
    async ask(method, path, { body }) {
      asked.push({ method, path, body });
      if (path === "/containers/create") return { Id: ID };
      if (path.endsWith("/json")) return { State: { ExitCode: 3 } };
      return undefined;
    },
    async attach() {
      const socket = connect({ path: join(dir, "s"), allowHalfOpen: true });
      await new Promise<void>((done) => socket.once("connect", () => done()));
      return { socket, head: Buffer.alloc(0) };
    },
  };
  const close = async () => {
    for (const socket of open) socket.destroy();
    await new Promise((done) => server.close(done));
    rmSync(dir, { recursive: true, force: true });
  };
  return { api, asked, close };
}

async function scan(app: TestApp) {
  await call(app, "POST /api/v1/servers/{name}/scan", { params, body: { scanner_ids: ["mine"] } });
  let job = await call(app, "GET /api/v1/servers/{name}/scan/status", { params });
  await until("the scan is over", async () => {
    job = await call(app, "GET /api/v1/servers/{name}/scan/status", { params });
    return job.status !== "pending" && job.status !== "running";
  });
  return job;
}

const security = {
  scanners: [{ id: "mine", image: "registry.invalid/scanner:1", args: ["--fast"], env: { LEVEL: "high" } }],
};
const sarif = JSON.stringify({
  version: "2.1.0",
  runs: [
    {
      tool: { driver: { name: "mine" } },
      results: [{ ruleId: "M1", level: "error", message: { text: "bad thing" } }],
    },
  ],
});

test("a container scans: tools and files in, SARIF out, bounded, without network, and removed afterwards", async () => {
  const work = mkdtempSync(join(tmpdir(), "work-"));
  mkdirSync(join(work, "node_modules", "git-mcp"), { recursive: true });
  writeFileSync(join(work, "node_modules", "git-mcp", "package.json"), '{"name":"git-mcp","version":"1.0.0"}');
  let heard = "";
  const { api, asked, close } = await engine((input, socket) => {
    heard = input;
    socket.write(frame("working\n", 2));
    socket.write(frame(sarif.slice(0, 20)));
    socket.end(frame(sarif.slice(20)));
  });
  const server = {
    name: "git",
    command: "npx",
    args: ["git-mcp@1.0.0", "--token", "tok-canary-7"],
    env: { KEY: "env-canary-8" },
    working_dir: work,
  };
  try {
    await withApp({ connect: false, servers: [server], config: { security } }, async (app) => {
      Object.assign(app.part(containerEngine), { api: async () => api });
      await app.catalog.acceptListing("git", [{ name: "log", description: "Shows the log." }]);
      await app.catalog.items.accept("git", "prompt", [{ name: "ask" }, { name: "tell" }]);
      await app.catalog.items.accept("git", "template", [{ uriTemplate: "note://{id}", name: "note" }]);

      const job = await scan(app);

      assert.equal(job.status, "completed", JSON.stringify(job));
      const report = await call(app, "GET /api/v1/servers/{name}/scan/report", { params, query: {} });
      assert.deepEqual(
        report.findings.map((f) => [f.rule_id, f.severity, f.title, f.scanner]),
        [["M1", "high", "bad thing", "mine"]],
      );
      assert.equal(report.verdict, "dangerous");
      const told = JSON.parse(heard);
      assert.deepEqual([told.format, told.server.package, told.tools[0].name], ["proxy-scan/1", "git-mcp", "log"]);
      assert.deepEqual(
        [told.tools.length, told.prompts, told.resources, told.resourceTemplates],
        [1, [{ name: "ask" }, { name: "tell" }], undefined, [{ uriTemplate: "note://{id}", name: "note" }]],
      );
      assert.ok(!heard.includes("canary"), "no secret of the server goes in");
      const made = asked.find(({ path }) => path === "/containers/create")?.body as {
        Cmd: string[];
        Env: string[];
        HostConfig: Record<string, unknown>;
      };
      assert.deepEqual([made.Cmd, made.Env], [["--fast"], ["LEVEL=high"]]);
      assert.deepEqual(
        [made.HostConfig.NetworkMode, made.HostConfig.ReadonlyRootfs, made.HostConfig.CapDrop, made.HostConfig.Binds],
        ["none", true, ["ALL"], [`${join(work, "node_modules", "git-mcp")}:/src:ro`]],
      );
      assert.ok(asked.some(({ method, path }) => method === "DELETE" && path.startsWith(`/containers/${ID}`)));
    });
  } finally {
    await close();
    rmSync(work, { recursive: true, force: true });
  }
});

test("a scanner that says nothing, or nonsense, fails; one that hangs ends with its time limit or its cancellation", async () => {
  const rows: [(input: string, out: Socket) => void, RegExp][] = [
    [(_, out) => void out.end(frame("no key\n", 2)), /exited with code 3 without a report: no key/],
    [(_, out) => void out.end(frame("hello")), /not JSON/],
  ];
  for (const [program, message] of rows) {
    const { api, close } = await engine(program);
    try {
      await withApp({ connect: false, servers: [{ name: "git", command: "x" }], config: { security } }, async (app) => {
        Object.assign(app.part(containerEngine), { api: async () => api });
        const job = await scan(app);
        assert.equal(job.status, "failed");
        assert.match(job.scanner_statuses[0]?.error ?? "", message);
      });
    } finally {
      await close();
    }
  }
  const { api, asked, close } = await engine(() => {});
  try {
    const slow = { ...security, scan_timeout_default: "1s" };
    await withApp(
      { connect: false, servers: [{ name: "git", command: "x" }], config: { security: slow } },
      async (app) => {
        Object.assign(app.part(containerEngine), { api: async () => api });
        assert.match((await scan(app)).scanner_statuses[0]?.error ?? "", /did not end within 1000 ms/);
        await until("its container is removed", () => asked.some(({ method }) => method === "DELETE"));

        await call(app, "POST /api/v1/servers/{name}/scan", { params, body: { scanner_ids: ["mine"] } });
        const cancelled = await ask(app, "POST /api/v1/servers/git/scan/cancel");
        assert.equal(cancelled.status, 200);
        assert.equal((await call(app, "GET /api/v1/servers/{name}/scan/status", { params })).status, "cancelled");
      },
    );
  } finally {
    await close();
  }
});

test("without an engine a container scanner is passed over, and the report says that it is not complete", () =>
  withApp({ connect: false, servers: [{ name: "git", command: "x" }], config: { security } }, async (app) => {
    Object.assign(app.part(containerEngine), { api: async () => undefined });
    const job = await scan(app);
    assert.deepEqual([job.status, job.scanner_statuses[0]?.status], ["completed", "skipped"]);
    const report = await call(app, "GET /api/v1/servers/{name}/scan/report", { params, query: {} });
    assert.equal(report.scan_complete, false);
  }));
