import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import { judgeId } from "#lib/core/gateway/tool-snapshot.ts";
import type { RawTool } from "#lib/core/schema/mcp.ts";
import { connectDatabase } from "#lib/core/store/database-connection.ts";
import { DATABASE_MARKER_FILE } from "#lib/core/store/database-identity.ts";
import { MIGRATIONS } from "#lib/core/store/migrations.ts";
import { DATABASE_FILE } from "#lib/core/store/open-store.ts";
import { runChecks } from "#lib/modules/doctor/run-checks.ts";
import { hostFiles } from "#lib/sqlite/files.ts";
import { loadSqlite } from "#lib/sqlite/load.ts";
import { admin } from "#test/kit/actor.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";

const tools: RawTool[] = [
  { name: "good", description: "Fine." },
  { name: "blocked", description: "A person blocked this." },
];
const SERVERS = [
  { name: "stated", command: "x", quarantined: false },
  { name: "auto", command: "x", trust_mode: "auto", quarantined: false },
  { name: "held", command: "x", quarantined: true },
] as const satisfies readonly (Partial<ServerConfig> & { name: string })[];

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const start = (dir: string, fn: (app: TestApp) => Promise<void>, config = {}) =>
  withApp({ dir, connect: false, servers: SERVERS, config }, fn);

async function listAll(app: TestApp): Promise<void> {
  for (const { name } of SERVERS) await app.catalog.acceptListing(name, tools);
}

/** A run of the proxy in which a person blocks a tool of two servers. */
const firstRun = (dir: string) =>
  start(dir, async (app) => {
    await listAll(app);
    for (const name of ["stated", "auto"])
      await call(app, "POST /api/v1/servers/{name}/tools/block", { params: { name }, body: { tools: ["blocked"] } });
    assert.equal(readiness(app, "stated:good"), "ready");
  });

/** What stands in the way of a call, whatever the state of the connection. */
function readiness(app: TestApp, id: string): string {
  const { verdict } = judgeId(app, admin.caller, id, { connection: false, tier: "admin" });
  return verdict.ready ? "ready" : verdict.reason;
}

const databaseFiles = (dir: string) => readdirSync(dir).filter((name) => name.startsWith(DATABASE_FILE));
const findings = (app: TestApp) => runChecks(app, admin.caller);
const statuses = (app: TestApp) =>
  SERVERS.flatMap(({ name }) => app.catalog.of(name).map((row) => `${row.id} ${row.status}`));
const ALL_WAIT = SERVERS.flatMap(({ name }) => tools.map((one) => `${name}:${one.name} pending`));

const LOSSES: Readonly<Record<string, (dir: string) => void>> = {
  removed: (dir) => {
    for (const name of databaseFiles(dir)) rmSync(join(dir, name));
  },
  "moved away": (dir) => {
    for (const name of databaseFiles(dir)) renameSync(join(dir, name), join(dir, `old-${name}`));
  },
  "of 0 bytes": (dir) => {
    for (const name of databaseFiles(dir)) truncateSync(join(dir, name));
  },
};

test("a database that is missing or empty leaves every tool waiting, is warned of at each start, and is a finding", async (t) => {
  for (const [how, lose] of Object.entries(LOSSES)) {
    const dir = folder(t);
    await firstRun(dir);
    lose(dir);

    for (const nth of ["first", "second"])
      await start(dir, async (app) => {
        await listAll(app);

        assert.deepEqual(statuses(app), ALL_WAIT, `${how}, ${nth} start`);
        assert.equal(readiness(app, "auto:blocked"), "tool_pending_approval", how);
        const finding = (await findings(app)).find(({ code }) => code === "database_missing");
        assert.deepEqual(
          [finding?.severity, finding?.remedy?.action.includes(DATABASE_MARKER_FILE)],
          ["error", true],
          how,
        );
        const [toAdmin, toNobody] = await Promise.all(
          (["admin", "nobody"] as const).map(
            async (as) => (await ask(app, "GET /api/v1/status", { as })).body.evidence_problem,
          ),
        );
        assert.match(toAdmin, /delete .*database-id\.json/, how);
        assert.equal(toNobody, undefined, how);
      });
    assert.equal(warnings(dir).length, 2, how);
    assert.match(warnings(dir)[0]!, /approvals, blocks.*tokens.*delete .*database-id\.json/);
  }
});

test("while evidence is missing, quarantine_enabled: false and a scan admit nothing new either", async (t) => {
  const dir = folder(t);
  await firstRun(dir);
  LOSSES.removed!(dir);

  await start(
    dir,
    async (app) => {
      await listAll(app);
      assert.deepEqual(statuses(app), ALL_WAIT);
      assert.equal(readiness(app, "stated:blocked"), "tool_pending_approval");
    },
    { quarantine_enabled: false },
  );
});

test("what a person approves while evidence is missing counts", async (t) => {
  const dir = folder(t);
  await firstRun(dir);
  LOSSES.removed!(dir);
  await start(dir, async (app) => {
    await listAll(app);
    const params = { name: "stated" };
    await call(app, "POST /api/v1/servers/{name}/tools/approve", { params, body: { tools: ["good"] } });
  });

  await start(dir, async (app) => {
    await listAll(app);
    assert.equal(app.catalog.get("stated:good")?.status, "approved");
    assert.equal(app.catalog.get("stated:blocked")?.status, "pending");
  });
});

test("a database that is put back is as it was", async (t) => {
  const dir = folder(t);
  await firstRun(dir);
  LOSSES["moved away"]!(dir);
  await start(dir, listAll);
  LOSSES.removed!(dir);
  for (const name of readdirSync(dir).filter((one) => one.startsWith("old-")))
    renameSync(join(dir, name), join(dir, name.slice("old-".length)));

  await start(dir, async (app) => {
    await listAll(app);
    assert.equal(app.catalog.get("stated:good")?.status, "approved");
    assert.equal(app.catalog.get("auto:blocked")?.disabled, true);
    assert.deepEqual(
      (await findings(app)).filter(({ code }) => code === "database_missing"),
      [],
    );
  });
});

test("deleting the marker begins anew: trust settings count again, a first listing is not trusted", async (t) => {
  const dir = folder(t);
  await firstRun(dir);
  LOSSES.removed!(dir);
  await start(dir, async (app) => {
    rmSync(join(dir, DATABASE_MARKER_FILE));
    const finding = (await findings(app)).find(({ code }) => code === "database_missing");
    assert.deepEqual([finding?.severity, finding?.remedy?.action], ["warning", "Restart the proxy"]);
  });

  await start(dir, async (app) => {
    await listAll(app);
    assert.equal(app.catalog.get("auto:good")?.status, "approved");
    assert.equal(app.catalog.get("stated:good")?.status, "pending");
    assert.deepEqual(
      (await findings(app)).filter(({ code }) => code === "database_missing"),
      [],
    );
  });
});

test("a marker that cannot be read counts as one of another database", async (t) => {
  const dir = folder(t);
  await firstRun(dir);
  for (const text of ["", "{", "[]", '{"database":1}', '{"database":"another"}']) {
    writeFileSync(join(dir, DATABASE_MARKER_FILE), text);
    await start(dir, async (app) => assert.equal(app.store.evidence.state, "lost", text));
  }
});

test("in a database of an earlier release every configured server counts as known", async (t) => {
  const dir = folder(t);
  const sqlite = await loadSqlite();
  const old = connectDatabase({
    file: join(dir, DATABASE_FILE),
    sqlite,
    files: hostFiles,
    steps: MIGRATIONS.slice(0, 7),
  });
  old.write(() => {
    old.prepare(`insert into meta (key, value) values ('catalog.seen_in_quarantine:held', 'true')`).run();
  });
  old.close();

  await start(dir, async (app) => {
    assert.equal(app.store.evidence.state, "complete");
    assert.equal(app.store.meta.get("catalog.seen_in_quarantine:held"), undefined);
    await app.catalog.acceptListing("stated", tools);
    assert.equal(app.catalog.get("stated:good")?.status, "pending");
    await app.config.update((draft) => {
      draft.mcpServers.push({ name: "new", command: "x", quarantined: false, enabled: true });
    }, "test");
    await app.catalog.acceptListing("new", tools);
    assert.equal(app.catalog.get("new:good")?.status, "approved", "one that is written now is new");
  });
});

function warnings(dir: string): string[] {
  const text = readFileSync(join(dir, "logs/proxy.log"), "utf8");
  return text.split("\n").filter((line) => /missing or was replaced/.test(line));
}
