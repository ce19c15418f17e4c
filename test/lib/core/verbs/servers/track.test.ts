import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import type { RawTool } from "#lib/core/schema/mcp.ts";
import type { ApprovalRow } from "#lib/core/schema/tool.ts";
import { forgetRemoved } from "#lib/core/verbs/servers/forget.ts";
import { removeServer } from "#lib/core/verbs/servers/remove.ts";
import { importServers } from "#lib/modules/connect/import/import.ts";
import { admin, adminByMcp } from "#test/kit/actor.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { putApprovals } from "#test/kit/store.ts";
import { until } from "#test/kit/until.ts";

const tool = (name: string, description = `does ${name}`): RawTool => ({
  name,
  description,
  inputSchema: { type: "object" },
});
const SERVER = { name: "s", command: "/opt/one", args: ["serve"], env: { MODE: "x" }, quarantined: false };
const OTHER = { ...SERVER, command: "/opt/two" };
const params = { name: "s" };

/** Approved, blocked, and approved before it changed. */
async function decided(app: TestApp): Promise<void> {
  await app.catalog.acceptListing("s", [tool("good"), tool("blocked"), tool("changed")]);
  await call(app, "POST /api/v1/servers/{name}/tools/block", { params, body: { tools: ["blocked"] } });
  await app.catalog.acceptListing("s", [tool("good"), tool("blocked"), tool("changed", "another")]);
}

const listedAgain = (app: TestApp) =>
  app.catalog.acceptListing("s", [tool("good"), tool("blocked"), tool("changed", "another"), tool("new")]);

const states = (app: TestApp) =>
  Object.fromEntries(app.catalog.of("s").map((row) => [row.name, row.disabled ? "blocked" : row.status]));

const started = (fn: (app: TestApp) => Promise<void>) => withApp({ connect: false, servers: [SERVER] }, fn);

async function apply(app: TestApp, servers: object[]): Promise<void> {
  const body = { ...structuredClone(app.config.raw()), mcpServers: servers };
  await call(app, "POST /api/v1/config/apply", { body, query: { confirm: "true" } });
}

/** As an editor saves. */
async function save(app: TestApp, servers: object[]): Promise<void> {
  const document = JSON.parse(readFileSync(app.config.path, "utf8"));
  writeFileSync(app.config.path, JSON.stringify({ ...document, mcpServers: servers }));
  const wanted = servers.length > 0;
  await until("the file is taken over", () => (app.config.server("s") !== undefined) === wanted);
}

/** Ways on which an entry leaves and comes back, as another one where `entry` is another. */
const ROUTES: Readonly<
  Record<string, (app: TestApp, entry: Partial<ServerConfig> & { name: string }) => Promise<void>>
> = {
  "DELETE and POST": async (app, entry) => {
    await call(app, "DELETE /api/v1/servers/{name}", { params });
    await call(app, "POST /api/v1/servers", { body: entry as never });
  },
  "removed over MCP, added by POST": async (app, entry) => {
    await removeServer(app, "s", adminByMcp);
    await call(app, "POST /api/v1/servers", { body: entry as never });
  },
  "config/apply twice": async (app, entry) => {
    await apply(app, []);
    await apply(app, [entry]);
  },
  "an editor that saves in two steps": async (app, entry) => {
    await save(app, []);
    await save(app, [entry]);
  },
  "removed, and an earlier configuration restored": async (app, entry) => {
    if (entry.command !== SERVER.command) {
      await call(app, "DELETE /api/v1/servers/{name}", { params });
      await apply(app, [{ ...entry, name: "elsewhere" }]);
      return save(app, [entry]);
    }
    const { versions } = await call(app, "GET /api/v1/config/history", {});
    await call(app, "DELETE /api/v1/servers/{name}", { params });
    const version = String(versions[0]!.version);
    await call(app, "POST /api/v1/config/history/{version}/restore", { params: { version } });
  },
};

test("approvals, blocks and changes outlive the entry, by whatever route it leaves and returns", async () => {
  for (const [route, leaveAndReturn] of Object.entries(ROUTES))
    await started(async (app) => {
      await decided(app);

      await leaveAndReturn(app, SERVER);
      assert.equal(app.config.server("s")?.quarantined, false, route);
      await listedAgain(app);

      assert.deepEqual(
        states(app),
        { good: "approved", blocked: "blocked", changed: "changed", new: "pending" },
        route,
      );
    });
});

test("a name that returns with another launch definition keeps its blocks, and every tool waits", async () => {
  for (const [route, leaveAndReturn] of Object.entries(ROUTES))
    await started(async (app) => {
      await decided(app);

      await leaveAndReturn(app, OTHER);
      await listedAgain(app);

      assert.deepEqual(states(app), { good: "pending", blocked: "blocked", changed: "pending", new: "pending" }, route);
      const diff = await call(app, "GET /api/v1/servers/{name}/tools/{tool}/diff", {
        params: { ...params, tool: "changed" },
      });
      assert.equal(diff.previous_description, "does changed", "what was approved before can still be compared");
    });
});

test("the order of members and empty lists are no other launch definition; a credential is", () =>
  started(async (app) => {
    const rows: [object, string][] = [
      [{ quarantined: false, headers: {}, env: { MODE: "x" }, args: ["serve"], command: "/opt/one" }, "approved"],
      [{ ...SERVER, env: { MODE: "y" } }, "pending"],
    ];
    await decided(app);
    for (const [entry, wanted] of rows) {
      await apply(app, []);
      await apply(app, [{ name: "s", ...entry }]);
      await listedAgain(app);
      assert.equal(app.catalog.get("s:good")?.status, wanted, JSON.stringify(entry));
    }
  }));

test("what was decided is known after restarts without and with the entry", async () => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const run = (servers: object[], fn: (app: TestApp) => Promise<void> = async () => {}) =>
    withApp({ dir, connect: false, servers: servers as never }, fn);
  try {
    await run([SERVER], decided);
    await run([]);
    await run([SERVER], async (app) => {
      await listedAgain(app);
      assert.deepEqual(states(app), { good: "approved", blocked: "blocked", changed: "changed", new: "pending" });
    });
    await run([]);
    await run([OTHER], async (app) => {
      assert.equal(app.catalog.get("s:good")?.status, "pending", "what is only remembered waits as well");
      await listedAgain(app);
      assert.deepEqual(states(app), { good: "pending", blocked: "blocked", changed: "pending", new: "pending" });
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("a first listing is trusted only where an operator states it in making an entry of which nothing is known", async () => {
  const post = (app: TestApp, body: object) => call(app, "POST /api/v1/servers", { body: body as never });
  const released = { ...SERVER, name: "n" };
  const { quarantined: _, ...silent } = released;
  const importing = (app: TestApp) =>
    importServers(
      app,
      JSON.stringify({ mcpServers: { n: { command: "/opt/one" } } }),
      { format: "json", skipQuarantine: true },
      admin,
    );
  const rows: [string, string, (app: TestApp) => Promise<unknown>][] = [
    ["POST with quarantined: false", "approved", (app) => post(app, released)],
    ["config/apply", "approved", (app) => apply(app, [released])],
    [
      "written into the file",
      "approved",
      (app) => app.config.update((d) => void d.mcpServers.push(released as never), "test"),
    ],
    [
      "POST, then released without ever listing",
      "pending",
      async (app) => {
        await post(app, silent);
        await call(app, "POST /api/v1/servers/{name}/unquarantine", { params: { name: "n" } });
      },
    ],
    [
      "POST, then quarantined: false in the file",
      "pending",
      async (app) => {
        await post(app, silent);
        await app.config.update((d) => {
          d.mcpServers.at(-1)!.quarantined = false;
        }, "test");
      },
    ],
    [
      "quarantined and released before it listed",
      "pending",
      async (app) => {
        await post(app, released);
        await call(app, "POST /api/v1/servers/{name}/quarantine", { params: { name: "n" } });
        await call(app, "POST /api/v1/servers/{name}/unquarantine", { params: { name: "n" } });
      },
    ],
    ["imported without quarantine", "pending", importing],
    [
      "POST while new servers are not quarantined",
      "pending",
      async (app) => {
        await app.config.update((d) => {
          d.quarantine_enabled = false;
        }, "test");
        await post(app, silent);
        await app.config.update((d) => {
          d.quarantine_enabled = true;
        }, "test");
      },
    ],
    [
      "it listed nothing at first",
      "pending",
      async (app) => {
        await post(app, released);
        await app.catalog.acceptListing("n", []);
      },
    ],
    [
      "known by name, though it never listed",
      "pending",
      async (app) => {
        await post(app, released);
        await call(app, "DELETE /api/v1/servers/{name}", { params: { name: "n" } });
        await post(app, released);
      },
    ],
    [
      "restored after it was forgotten",
      "pending",
      async (app) => {
        await post(app, released);
        const { versions } = await call(app, "GET /api/v1/config/history", {});
        await call(app, "DELETE /api/v1/servers/{name}", { params: { name: "n" }, query: { forget: "true" } });
        const version = String(versions[0]!.version);
        await call(app, "POST /api/v1/config/history/{version}/restore", { params: { version } });
      },
    ],
    [
      "forgotten and made anew",
      "approved",
      async (app) => {
        await post(app, released);
        await app.catalog.acceptListing("n", [tool("old")]);
        await call(app, "DELETE /api/v1/servers/{name}", { params: { name: "n" }, query: { forget: "true" } });
        await post(app, released);
      },
    ],
  ];
  for (const [way, wanted, make] of rows)
    await withApp({ connect: false }, async (app) => {
      await make(app);
      assert.equal(app.config.quarantined(app.config.server("n")!), false, way);

      await app.catalog.acceptListing("n", [tool("first")]);
      await app.catalog.acceptListing("n", [tool("first"), tool("later")]);

      assert.equal(app.catalog.get("n:first")?.status, wanted, way);
      assert.equal(app.catalog.get("n:later")?.status, "pending", way);
    });
});

test("forgetting takes an administrator, also works after the removal, and is 404 for what nobody knows", () =>
  started(async (app) => {
    await decided(app);
    await call(app, "DELETE /api/v1/servers/{name}", { params });
    assert.equal(app.store.approvals.count("s"), 3);

    await call(app, "DELETE /api/v1/servers/{name}", { params, query: { forget: "true" } });

    assert.deepEqual([app.store.approvals.count("s"), app.store.knownServers.get("s")], [0, undefined]);
    assert.equal((await ask(app, "DELETE /api/v1/servers/s?forget=true")).status, 404);
    assert.equal((await ask(app, "DELETE /api/v1/servers/s?forget=maybe")).status, 400);
  }));

test("of too many removed servers those without a decision are forgotten first, and blocks last", () =>
  withApp({ connect: false }, async (app) => {
    const row = (server: string, more: Partial<ApprovalRow>): ApprovalRow => ({
      server,
      tool: "t",
      status: "pending",
      disabled: false,
      currentHash: "x",
      current: { name: "t", description: "", inputSchema: { type: "object" } },
      updatedAt: 1,
      ...more,
    });
    const removed = (name: string, removedAt: number) =>
      ({ name, identity: "", baseline: "closed", noticedAt: 0, removedAt }) as const;
    await putApprovals(app.store.approvals, [
      row("blocked", { disabled: true }),
      row("approved", { status: "approved", approvedHash: "x" }),
    ]);
    const many = Array.from({ length: 1000 }, (_, i) => removed(`empty${i}`, 10 + i));
    const rows = new Map([removed("blocked", 1), removed("approved", 2), ...many].map((row) => [row.name, row]));
    await app.store.knownServers.changeAll([...rows.keys()], (_, name) => rows.get(name));

    await forgetRemoved(app);

    const known = app.store.knownServers;
    assert.equal(known.all().length, 1000);
    assert.ok(known.get("blocked") && known.get("approved"));
    assert.equal(known.get("empty0") ?? known.get("empty1"), undefined);
  }));
