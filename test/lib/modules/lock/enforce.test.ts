import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { itemSnapshot, judgeId, visibleTo } from "#lib/core/gateway/tool-snapshot.ts";
import { judge } from "#lib/core/policy/judge.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { EngineError } from "#lib/modules/isolation/container/api.ts";
import { containerEngine } from "#lib/modules/isolation/state.ts";
import { lockPieces } from "#lib/modules/lock/document.ts";
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

    assert.equal(text, [...lockPieces(lock)].join(""));
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

const PROMPT = { name: "greet", description: "Greets.", arguments: [{ name: "who", required: true }] };

test("prompts, resources and templates are locked; verify names their differences by class", () =>
  withApp({ connect: false, servers, tools }, async (app) => {
    const { items } = app.catalog;
    await items.accept("git", "prompt", [PROMPT, { name: "gone" }]);
    await items.accept("git", "resource", [{ uri: "x://1", name: "one", size: 5 }]);
    await items.accept("git", "template", [{ uriTemplate: "x://{id}", name: "x" }]);
    const text = await locked(app);
    assert.deepEqual((await call(app, "POST /api/v1/lock/verify", { body: { text } })).drifts, []);

    await items.accept("git", "prompt", [{ ...PROMPT, description: "Greets twice.", arguments: [{ name: "whom" }] }]);
    await items.accept("git", "resource", [
      { uri: "x://1", name: "one", size: 6 },
      { uri: "x://2", name: "two" },
    ]);
    await items.accept("git", "template", [{ uriTemplate: "x://{id}", name: "x", _meta: { "a/b": 1 } }]);

    const { drifts } = await call(app, "POST /api/v1/lock/verify", { body: { text } });
    assert.deepEqual(
      drifts.map((d) => [d.class, d.kind, d.item, d.at]),
      [
        ["narrowing", "prompt", "gone", ""],
        ["widening", "prompt", "greet", "arguments"],
        ["text", "prompt", "greet", "description"],
        ["capability", "resource", "x://2", ""],
        ["capability", "template", "x://{id}", "_meta"],
      ],
    );
  }));

test("where the lock is enforced, an item must be in the file and as it is there; older files pin no items", () =>
  withApp(
    { connect: false, servers: [{ ...servers[0]!, trust_mode: "auto" }], tools: { "git:log": "approved" } },
    async (app) => {
      const { items } = app.catalog;
      const reason = (name: string) => {
        const item = { kind: "prompt", server: "git", name } as const;
        const verdict = judge(itemSnapshot(app, item), { scope: admin.scope, connection: false, hashes: true });
        return verdict.ready ? "ready" : `${verdict.reason}: ${verdict.detail}`;
      };
      await items.accept("git", "prompt", [PROMPT, { name: "same" }]);
      const text = await locked(app);
      const path = join(app.boot.dataDir, "mcp.lock");
      writeFileSync(path, text);
      await app.config.update(
        (draft) => void Object.assign(draft, { lock: { ...draft.lock, path, enforce: true } }),
        "test",
      );
      assert.deepEqual([reason("greet"), reason("same")], ["ready", "ready"]);

      await items.accept("git", "prompt", [
        { ...PROMPT, description: "Greets twice." },
        { name: "same" },
        { name: "new" },
      ]);
      assert.match(reason("greet"), /hash_mismatch: .*the prompt differs from the lock file \(text\)/);
      assert.match(reason("new"), /the prompt is not in the lock file/);
      assert.equal(reason("same"), "ready");

      const older = JSON.parse(text);
      for (const member of ["prompts", "resources", "resource_templates"]) delete older.servers.git[member];
      const old = join(app.boot.dataDir, "old.lock");
      writeFileSync(old, JSON.stringify(older));
      await app.config.update((draft) => void Object.assign(draft, { lock: { ...draft.lock, path: old } }), "test");
      assert.deepEqual([reason("greet"), reason("new"), reason("same")], ["ready", "ready", "ready"]);
      const { drifts, unverified } = await call(app, "POST /api/v1/lock/verify", {
        body: { text: JSON.stringify(older) },
      });
      assert.deepEqual(drifts, []);
      assert.match(unverified.map(({ what }) => what).join(), /no prompts, because an older version wrote it/);
    },
  ));
