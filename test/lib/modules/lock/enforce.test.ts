import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { judgeId, visibleTo } from "#lib/core/gateway/tool-snapshot.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { EngineError } from "#lib/modules/isolation/container/api.ts";
import { containerEngine } from "#lib/modules/isolation/state.ts";
import { lockText } from "#lib/modules/lock/document.ts";
import { withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask, call } from "#test/kit/http.ts";

const admin = { ...INTERNAL_CALLER };
const reasonOf = (app: App, id: string) => {
  const { verdict } = judgeId(app, admin, id, { connection: false });
  return verdict.ready ? "ready" : `${verdict.reason}: ${verdict.detail}`;
};
const servers = [
  { name: "git", command: "npx", args: ["-y", "git-mcp@1.0.0", "--token", "sk_live_abcdefghijklmnop1234"] },
  { name: "b", command: "x", env: { A: "${env:HOME}", B: "s3cret-value-42" } },
];
const tools = { "git:log": "approved", "git:diff": "approved", "b:run": "approved" } as const;
const locked = async (app: App) => (await call(app, "GET /api/v1/lock", {})).text;

test("the lock file says how servers start and what their tools are, and holds no secret", () =>
  withApp({ connect: false, servers, tools }, async (app) => {
    const { lock, text } = await call(app, "GET /api/v1/lock", {});

    assert.equal(text, lockText(lock));
    assert.deepEqual(lock.servers.git?.package, { source: "npm", name: "git-mcp", version: "1.0.0" });
    assert.deepEqual(Object.keys(lock.servers.git!.tools), ["log", "diff"]);
    assert.equal(lock.servers.git?.tools.log?.pin, app.catalog.get("git:log")?.hash);
    assert.deepEqual((lock.servers.b!.start.env as Record<string, string>).A, "${env:HOME}");
    assert.ok(!/sk_live|s3cret|chars\)/.test(text), text);
    const { in_step, drifts } = await call(app, "POST /api/v1/lock/verify", { body: { text } });
    assert.deepEqual([in_step, drifts], [true, []]);
  }));

test("verify names what changed, by class", () =>
  withApp({ connect: false, servers, tools }, async (app) => {
    const text = await locked(app);
    await app.catalog.acceptListing("git", [
      { name: "log", description: "Another.", inputSchema: app.catalog.get("git:log")!.inputSchema },
      { name: "push" },
    ]);

    const { drifts, worst, in_step } = await call(app, "POST /api/v1/lock/verify", { body: { text } });

    assert.deepEqual([in_step, worst], [false, "capability"]);
    assert.deepEqual(
      drifts.map((d) => [d.class, d.server, d.tool, d.at]),
      [
        ["narrowing", "git", "diff", ""],
        ["text", "git", "log", "description"],
        ["capability", "git", "push", ""],
      ],
    );
    const broken = await ask(app, "POST /api/v1/lock/verify", { body: { text: "{" } });
    assert.deepEqual([broken.status, broken.body.code], [400, "lock_invalid"]);
  }));

test("enforced, what differs from the lock file is neither found nor called, through every listener by the one judge", () => {
  const clock = handClock();
  return withApp({ connect: false, servers, tools, clock }, async (app) => {
    const path = join(app.dir, "mcp.lock");
    const set = (lock: object) =>
      app.config.update((draft) => {
        draft.lock = { ...draft.lock, ...lock };
      }, "test");
    const visible = (id: string) => visibleTo(app, admin)(app.catalog.get(id)!);
    writeFileSync(path, await locked(app));
    assert.equal(reasonOf(app, "git:log"), "ready");

    await set({ enforce: true });
    for (const id of Object.keys(tools)) assert.equal(reasonOf(app, id), "ready", id);
    await app.catalog.acceptListing("git", [{ name: "log", description: "Another." }, { name: "push" }]);
    await call(app, "POST /api/v1/servers/{name}/tools/approve", {
      params: { name: "git" },
      body: { approve_all: true },
    });
    assert.equal(reasonOf(app, "git:log"), "hash_mismatch: the tool differs from the lock file (text)");
    assert.equal(reasonOf(app, "git:push"), "hash_mismatch: the tool is not in the lock file");
    assert.equal(reasonOf(app, "b:run"), "ready");
    assert.deepEqual([visible("git:log"), visible("git:push"), visible("b:run")], [false, false, true]);

    await set({ allow: ["cosmetic", "text", "narrowing"] });
    assert.equal(reasonOf(app, "git:log"), "ready");
    assert.match(reasonOf(app, "git:push"), /not in the lock file/);

    await call(app, "PATCH /api/v1/servers/{name}", { params: { name: "b" }, body: { command: "y" } });
    assert.match(reasonOf(app, "b:run"), /quarantined|definition differs from the lock file/);
    await app.config.update((draft) => {
      for (const server of draft.mcpServers) server.quarantined = false;
    }, "test");
    assert.match(
      reasonOf(app, "b:run"),
      /hash_mismatch: its server.s definition differs from the lock file.*start\.command/,
    );

    writeFileSync(path, await locked(app));
    await clock.advance(3000);
    assert.equal(reasonOf(app, "git:push"), "ready", "a new lock file counts at once");
    rmSync(path);
    await clock.advance(3000);
    assert.match(reasonOf(app, "git:push"), /cannot be read \(it does not exist\)/);
    await set({ enforce: false });
    assert.equal(reasonOf(app, "git:push"), "ready");
  });
});

test("images are locked by their digest: what is started, and what it is kept apart in", () => {
  const fleet = [
    { name: "img", command: "docker", args: ["run", "-i", "--rm", "mcp/time"] },
    { name: "npm", command: "npx", args: ["git-mcp@1.0.0"], isolation: { enabled_override: true } },
  ];
  const images: Record<string, string> = { "mcp/time": "sha256:1", "docker.io/library/node:22": "sha256:2" };
  return withApp({ connect: false, servers: fleet, tools: { "npm:log": "approved" } }, async (app) => {
    let available = true;
    const ask = async (_: string, path: string) => {
      const name = path.slice("/images/".length, -"/json".length);
      if (!images[name]) throw new EngineError("no such image", 404);
      return { Id: "0", RepoDigests: [`${name}@${images[name]}`] };
    };
    Object.assign(app.part(containerEngine), {
      state: async () => ({ available }),
      api: async () => (available ? { ask } : undefined),
    });
    const { lock, text } = await call(app, "GET /api/v1/lock", {});
    assert.equal(lock.servers.img?.package?.digest, "sha256:1");
    assert.deepEqual(lock.servers.npm?.container, { image: "docker.io/library/node:22", digest: "sha256:2" });
    const verify = () => call(app, "POST /api/v1/lock/verify", { body: { text } });
    assert.deepEqual(await verify(), { in_step: true, drifts: [], unverified: [] });

    images["mcp/time"] = "sha256:3";
    images["docker.io/library/node:22"] = "sha256:4";
    assert.deepEqual(
      (await verify()).drifts.map(({ class: is, server, at, what }) => [is, server, at, what]),
      [
        ["capability", "img", "package.digest", "sha256:1 → sha256:3"],
        ["capability", "npm", "container.digest", "sha256:2 → sha256:4"],
      ],
    );
    available = false;
    const away = await verify();
    assert.deepEqual([away.in_step, away.unverified.map(({ server }) => server)], [true, ["img", "npm"]]);

    writeFileSync(join(app.dir, "mcp.lock"), text);
    await call(app, "PATCH /api/v1/config", { body: { lock: { enforce: true } } });
    assert.equal(reasonOf(app, "npm:log"), "ready", "digests are compared by verify");
    await call(app, "PATCH /api/v1/servers/{name}", {
      params: { name: "npm" },
      body: { isolation: { enabled_override: false } },
    });
    const plain = await verify();
    assert.ok(plain.drifts.some(({ at, class: is }) => at === "container" && is === "capability"));
    assert.match(reasonOf(app, "npm:log"), /hash_mismatch: .*start\.isolation/);
  });
});
