import assert from "node:assert/strict";
import { test } from "node:test";
import { toolPages } from "#lib/core/api/tool-filters.ts";
import type { App } from "#lib/core/app.ts";
import { listTools } from "#lib/core/verbs/tools/list.ts";
import { toolsOverview } from "#lib/core/verbs/tools/overview.ts";
import { searchTools } from "#lib/core/verbs/tools/search.ts";
import { admin } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";

const TOOLS = 20;
const names = Array.from({ length: TOOLS }, (_, i) => `git:t${i}`);
const world = {
  connect: false,
  servers: [{ name: "git", command: "x" }],
  tools: Object.fromEntries(names.map((id) => [id, "approved" as const])),
};

/** An app on which scanning one tool keeps the processor busy for 3 ms, and how many were scanned. */
function slowScans(app: App) {
  const counted = { scans: 0 };
  const scan: App["catalog"]["scan"] = (...args) => {
    counted.scans++;
    const until = performance.now() + 3;
    while (performance.now() < until);
    return app.catalog.scan(...args);
  };
  return { app: { ...app, catalog: { ...app.catalog, of: app.catalog.of, scan } } as App, counted };
}

for (const [what, read] of [
  [
    "the list of every tool",
    (app: App, signal?: AbortSignal) => toolsOverview(app, admin.caller, { ...(signal && { signal }) }),
  ],
  [
    "the list of one server's tools",
    (app: App, signal?: AbortSignal) => listTools(app, "git", admin.caller, { ...(signal && { signal }) }),
  ],
] as const) {
  test(`${what} lets others have the event loop after each few tools`, () =>
    withApp(world, async (real) => {
      const { app, counted } = slowScans(real);
      let turns = 0;
      let done = false;
      const others = (function turn(): unknown {
        turns++;
        return !done && setImmediate(turn);
      })();
      assert.ok(others);

      await read(app);
      done = true;

      assert.equal(counted.scans, TOOLS);
      assert.ok(turns >= TOOLS / 2 - 1, `${turns} turns of others`);
    }));

  test(`${what} is not read on for an asker who went away`, () =>
    withApp(world, async (real) => {
      const { app, counted } = slowScans(real);
      const gone = new AbortController();
      setImmediate(() => gone.abort());

      await assert.rejects(read(app, gone.signal), { code: "cancelled" });
      assert.ok(counted.scans < TOOLS, `${counted.scans} scans`);
    }));
}

/** An app that examines texts only in pieces; it notes the tools whose findings are asked for before. */
function examinedFirst(app: App) {
  const examined = new Set<string>();
  const unread: string[] = [];
  const catalog: Partial<App["catalog"]> = {
    of: app.catalog.of,
    async prepareScan(_tool, hash) {
      await new Promise((done) => setImmediate(done));
      examined.add(hash);
    },
    scan(server, row, hash) {
      if (!examined.has(hash)) unread.push(row.name);
      return app.catalog.scan(server, row, hash);
    },
  };
  return { app: { ...app, catalog: { ...app.catalog, ...catalog } } as App, examined, unread };
}

const sortedByRisk = toolPages.choose({ sort: [{ by: "risk", falling: true }], limit: 5 });
for (const [what, read] of [
  ["a list sorted by risk", (app: App) => toolsOverview(app, admin.caller, { choose: sortedByRisk })],
  ["a list filtered by risk", (app: App) => toolsOverview(app, admin.caller, { filter: { risk: "clean" } })],
  ["a search", (app: App) => searchTools(app, "t1", { limit: 5, offset: 0 }, admin.caller)],
] as const)
  test(`${what} asks for findings of texts that were read in pieces before`, () =>
    withApp(world, async (real) => {
      await real.catalog.indexed;
      const { app, examined, unread } = examinedFirst(real);

      await read(app);

      assert.deepEqual(unread, []);
      assert.ok(examined.size > 0);
    }));

test("callers that see no findings have no texts read for a list sorted by risk", () =>
  withApp(world, async (real) => {
    const { app, examined } = examinedFirst(real);

    await toolsOverview(app, { ...admin.caller, tier: "agent" }, { choose: sortedByRisk });

    assert.equal(examined.size, 0);
  }));
