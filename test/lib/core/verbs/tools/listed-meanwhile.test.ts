import assert from "node:assert/strict";
import { test } from "node:test";
import { approveItems } from "#lib/core/verbs/items/approve-items.ts";
import { blockItems } from "#lib/core/verbs/items/block-items.ts";
import { approveTools } from "#lib/core/verbs/tools/approve.ts";
import { blockTools } from "#lib/core/verbs/tools/block.ts";
import { setToolEnabled } from "#lib/core/verbs/tools/set-enabled.ts";
import { admin } from "#test/kit/actor.ts";
import { type TestApp, withApp } from "#test/kit/app.ts";
import { listed } from "#test/kit/catalog.ts";
import { secondWriter } from "#test/kit/second-writer.ts";

const servers = [{ name: "git", command: "none", quarantined: true }];

/** Runs with one listed tool and prompt; the server lists changed ones just before the next decision is stored. */
const withChange = (fn: (app: TestApp) => Promise<void>) =>
  withApp({ servers, connect: false }, async (app) => {
    const prompt = (description: string) => [{ name: "ask", description }];
    await app.catalog.acceptListing("git", [listed("log", "one")]);
    await app.catalog.items.accept("git", "prompt", prompt("one"));
    secondWriter(app.store.approvals, () => app.catalog.acceptListing("git", [listed("log", "two")]));
    secondWriter(app.store.itemApprovals, () => app.catalog.items.accept("git", "prompt", prompt("two")));
    await fn(app);
  });

const toolRow = (app: TestApp) => app.store.approvals.get("git", "log")!;
const promptRow = (app: TestApp) => app.store.itemApprovals.get("git", "prompt", "ask")!;

test("a tool whose definition changes while it is blocked is blocked with the new definition", () =>
  withChange(async (app) => {
    assert.deepEqual(await blockTools(app, "git", ["log"], admin), ["log"]);

    const { disabled, current } = toolRow(app);
    assert.deepEqual([disabled, current.description], [true, "two"]);
  }));

test("a tool whose definition changes while it is approved is not approved", () =>
  withChange(async (app) => {
    const { approved, pending } = await approveTools(app, "git", ["log"], {}, admin);

    assert.deepEqual([approved, pending], [[], [{ tool: "log", reason: "changed_since" }]]);
    assert.deepEqual([toolRow(app).status, toolRow(app).current.description], ["pending", "two"]);
  }));

test("a tool whose definition changes while it is disabled has the new definition", () =>
  withChange(async (app) => {
    await setToolEnabled(app, "git", "log", false, admin);

    const { disabled, current } = toolRow(app);
    assert.deepEqual([disabled, current.description], [true, "two"]);
  }));

test("a prompt whose definition changes while it is approved is not approved", () =>
  withChange(async (app) => {
    const { approved, pending } = await approveItems(app, "git", ["prompt"], ["ask"], {}, admin);

    assert.deepEqual([approved, pending], [[], [{ kind: "prompt", name: "ask", reason: "changed_since" }]]);
    assert.deepEqual([promptRow(app).status, promptRow(app).current.description], ["pending", "two"]);
  }));

test("a prompt whose definition changes while it is blocked is blocked with the new definition", () =>
  withChange(async (app) => {
    await blockItems(app, "git", ["prompt"], ["ask"], admin);

    const { disabled, current } = promptRow(app);
    assert.deepEqual([disabled, current.description], [true, "two"]);
  }));
