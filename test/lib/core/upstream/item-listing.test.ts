import assert from "node:assert/strict";
import { test } from "node:test";
import { itemSnapshot, visibleItems } from "#lib/core/gateway/tool-snapshot.ts";
import { judge } from "#lib/core/policy/judge.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { createItemListing } from "#lib/core/upstream/item-listing.ts";
import { approveItems } from "#lib/core/verbs/items/approve-items.ts";
import { blockItems } from "#lib/core/verbs/items/block-items.ts";
import { admin } from "#test/kit/actor.ts";
import { withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { heardLog } from "#test/kit/log.ts";
import { memoryCatalog, stdioServer, until } from "#test/kit/upstream.ts";

test("what a server declares is listed beside its tools, and is judged as these are", () =>
  withApp({ servers: [stdioServer("one")] }, async (app) => {
    const { items } = app.catalog;
    const greet = { kind: "prompt", server: "one", name: "greet" } as const;
    await until(
      "its prompts and resources are listed",
      () => items.get("prompt", "one", "greet") && items.get("resource", "one", "test://one"),
    );
    const reason = () => {
      const verdict = judge(itemSnapshot(app, greet), { scope: INTERNAL_CALLER.scope, connection: true });
      return verdict.ready ? "ready" : verdict.reason;
    };
    const seen = () => [...items.all("prompt")].filter(visibleItems(app, INTERNAL_CALLER)).length;

    assert.deepEqual(app.upstreams.get("one")?.capabilities?.resources, { subscribe: false, listChanged: false });
    assert.deepEqual([reason(), seen()], ["ready", 1]);

    await blockItems(app, "one", ["prompt"], ["greet"], admin);
    assert.deepEqual([reason(), seen()], ["tool_blocked_by_user", 0]);

    const { approved } = await approveItems(app, "one", ["prompt"], ["greet"], {}, admin);
    assert.deepEqual(approved, [{ kind: "prompt", name: "greet" }]);
    assert.deepEqual([reason(), seen()], ["ready", 1]);
  }));

test("the error of the last listing is known and announced, without secrets, until all lists are good", async () => {
  let isBroken = true;
  const announced: (string | undefined)[] = [];
  const listing = createItemListing({
    server: "one",
    capabilities: { prompts: { listChanged: false }, resources: { listChanged: false } } as never,
    isCurrent: () => true,
    async request(method) {
      if (isBroken && method === "prompts/list") throw new Error("no access with s3cret");
      const result = { prompts: [], resources: [], resourceTemplates: [] };
      return { result, raw: JSON.stringify(result) };
    },
    maskTool: (text) => text.replace("s3cret", "••••"),
    catalog: memoryCatalog().catalog,
    clock: handClock(),
    log: heardLog("info"),
    write() {},
    itemsChanged: (error) => void announced.push(error),
    pollMs: () => 0,
  });

  assert.equal(listing.error(), undefined);
  await listing.now("test");
  assert.equal(listing.error(), "no access with ••••", "a good listing of resources does not hide it");
  await listing.now("test");
  assert.deepEqual(announced, ["no access with ••••"], "the same error is announced once");
  isBroken = false;
  await listing.now("test");
  assert.equal(listing.error(), undefined);
  assert.deepEqual(announced, ["no access with ••••", undefined]);
  listing.stop();
});
