import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/app.ts";
import { INTERNAL } from "#lib/shape/caller.ts";
import { preflight } from "#lib/tools/preflight.ts";
import { testApp } from "#test/kit/app.ts";

const BY = { caller: INTERNAL, origin: { source: "mcp", requestId: "r1" } } as const;

test("a check that cannot be written down gives no verdict (spec 000 §4.3 rule 4)", async (t) => {
  const app = await testApp({ connect: false });
  t.after(() => app.close());
  const add = () => Promise.reject(new Error("no space"));
  const full: App = { ...app, store: { ...app.store, activity: { ...app.store.activity, add } } };

  await assert.rejects(preflight(full, BY, { ids: ["a:b"], tier: "agent" }), /availability check unavailable/);

  assert.equal((await preflight(app, BY, { ids: ["a:b"], tier: "agent" })).verdict, "unknown_ids");
});

test("an id out of scope is told of as one that does not exist, byte for byte (spec 000 §4.3 rule 6)", async (t) => {
  const app = await testApp({
    connect: false,
    servers: [
      { name: "seen", command: "x" },
      { name: "gone", command: "x" },
    ],
    tools: { "seen:aa": "approved", "gone:aa": "approved" },
  });
  t.after(() => app.close());
  const scope = { servers: new Set(["seen"]), permissions: "all" } as const;
  const by = { ...BY, caller: { ...INTERNAL, tier: "agent", scope } } as const;
  const asks = async (id: string) =>
    JSON.stringify((await preflight(app, by, { ids: [id], tier: "agent" })).results).replaceAll(id, "ID");

  const out = await asks("gone:aa");

  assert.equal(out, await asks("none:aa"));
  assert.equal(out, await asks("gone:zz"));
  assert.ok(!out.includes("gone"));
});
