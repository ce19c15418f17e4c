import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { type RetrieveRequest, retrieveTools } from "#lib/core/verbs/tools/retrieve.ts";
import { admin, agent } from "#test/kit/actor.ts";
import { type TestOptions, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";

const request = (query: string, limit = 5): RetrieveRequest => {
  return { query, limit, detail: "compact", policy: {}, includeDisabled: false };
};

const WORLD: TestOptions = {
  connect: false,
  servers: [
    { name: "git", command: "x" },
    { name: "far", command: "x" },
  ],
  tools: {
    "git:log": { description: "A text in which, among other things, a commit is named" },
    ...Object.fromEntries(
      [1, 2, 3].map((n) => [`git:new_${n}`, { description: "commit", status: "pending" as const }]),
    ),
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`far:commit_${n}`, { description: "commit", status: "pending" as const }]),
    ),
  },
};

/** The app as it is while the first index is still being built. */
function unfinished(app: App, indexed: Promise<void>, ready: () => boolean) {
  const clock = handClock();
  const catalog = Object.create(app.catalog, { ready: { get: ready }, indexed: { value: indexed } });
  return { app: { ...app, clock, catalog }, clock };
}

test("what is out of scope takes no place of what is withheld", () =>
  withApp(WORLD, async (app) => {
    const found = await retrieveTools(app, agent(["git"]).caller, request("commit"));

    assert.deepEqual(
      found.tools.map((entry) => "id" in entry && entry.id),
      ["git:log"],
    );
    assert.deepEqual(found.withheld, { pending_approval: 3 });
    for (const limit of [1, 2, 20]) {
      const { withheld } = await retrieveTools(app, admin.caller, request("commit", limit));
      assert.deepEqual(withheld, { pending_approval: 33 }, "however many are asked for");
    }
  }));

test("right after a start it waits for the index, and then says nothing about it", () =>
  withApp(WORLD, async (app) => {
    let ready = false;
    let finish = () => {};
    const indexed = new Promise<void>((done) => {
      finish = done;
    });
    const { app: starting, clock } = unfinished(app, indexed, () => ready);
    let answered = false;
    const answer = retrieveTools(starting, agent(["git"]).caller, request("log")).finally(() => {
      answered = true;
    });

    await clock.advance(1000);
    assert.equal(answered, false);
    ready = true;
    finish();

    const { tools, notice } = await answer;
    assert.equal(tools.length, 1);
    assert.equal(notice, undefined);
  }));

test("after two seconds, or when indexing failed, it answers what there is and says that there may be more", () =>
  withApp(WORLD, async (app) => {
    const { app: slow, clock } = unfinished(app, new Promise(() => {}), () => false);
    const late = retrieveTools(slow, agent(["git"]).caller, request("commit"));
    await clock.advance(2000);
    const { app: broken } = unfinished(app, Promise.reject(new Error("no index")), () => false);

    for (const answer of [late, retrieveTools(broken, agent(["git"]).caller, request("commit"))]) {
      const { tools, notice, withheld } = await answer;
      assert.equal(tools.length, 1);
      assert.match(notice ?? "", /still indexing.*pending: a person must approve them/);
      assert.deepEqual(withheld, { pending_approval: 3 });
    }
    const nothing = unfinished(app, Promise.reject(new Error("no index")), () => false);
    const { withheld, notice } = await retrieveTools(nothing.app, admin.caller, request("zzzzqqqq"));
    assert.match(notice ?? "", /still indexing/);
    assert.equal(withheld, undefined);
  }));
