import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { type Actor, INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { type PreflightRequest, preflightTools } from "#lib/core/verbs/tools/preflight.ts";
import { admin, agent } from "#test/kit/actor.ts";
import { type TestOptions, testApp, withApp } from "#test/kit/app.ts";
import { withStates } from "#test/kit/states.ts";
import { verifies } from "#test/kit/verifies.ts";

const BY = { caller: INTERNAL_CALLER, origin: { source: "mcp", requestId: "r1" } } as const;
const { signal } = new AbortController();
const WORLD: TestOptions = {
  connect: false,
  config: { profiles: [{ name: "work", servers: ["git"] }] },
  servers: [
    { name: "git", command: "x" },
    { name: "web", command: "x" },
    { name: "far", command: "x", quarantined: true },
  ],
  tools: { "git:log": "approved", "web:get": "approved", "web:pending": "pending", "far:tool": "approved" },
};

test("a check that cannot be written down gives no verdict (spec 000 §4.3 rule 4)", async (t) => {
  const app = await testApp({ connect: false });
  t.after(() => app.close());
  const add = () => Promise.reject(new Error("no space"));
  const full: App = { ...app, store: { ...app.store, activity: { ...app.store.activity, add } } };

  const request = { tools: [{ id: "a:b" }], tier: "agent", signal } as const;

  await assert.rejects(preflightTools(full, BY, request), /availability check unavailable/);

  assert.equal((await preflightTools(app, BY, request)).verdict, "unknown_ids");
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
  const by = { ...BY, caller: { ...INTERNAL_CALLER, tier: "agent", scope } } as const;
  const asks = async (id: string) =>
    JSON.stringify((await preflightTools(app, by, { tools: [{ id }], tier: "agent", signal })).tools).replaceAll(
      id,
      "ID",
    );

  const out = await asks("gone:aa");

  assert.equal(out, await asks("none:aa"));
  assert.equal(out, await asks("gone:zz"));
  assert.ok(!out.includes("gone"));
});

verifies(
  [
    "rest.preflight.agent-silence",
    "rest.preflight.agent-no-hash",
    "rest.preflight.agent-did-you-mean",
    "rest.auth.tiers",
  ],
  "an agent gets no hash, no word of what is out of its scope, and suggestions of what it may see only",
  () =>
    withApp(WORLD, async (opened) => {
      const app = withStates(opened, { git: {}, web: {}, far: {} });
      const asks = async (by: Actor, ids: string[], more: Partial<PreflightRequest> = {}) =>
        (await preflightTools(app, by, { tools: ids.map((id) => ({ id })), tier: by.caller.tier, signal, ...more }))
          .tools;
      const bot = agent(["git", "far"], "api");

      const [ready] = await asks(bot, ["git:log"]);
      assert.deepEqual(ready, { id: "git:log", status: "ready" });
      const [mine] = await asks(admin, ["git:log"]);
      assert.match(mine?.hash ?? "", /^sha256\/v2:[0-9a-f]{64}$/);

      const same = async (id: string) => JSON.stringify((await asks(bot, [id]))[0]).replaceAll(id, "ID");
      const ordinary = await same("git:zzzz");
      for (const id of ["web:get", "web:zzzz", "none:zzzz", "web:pending"]) assert.equal(await same(id), ordinary, id);
      assert.deepEqual(JSON.parse(ordinary), {
        id: "ID",
        status: "unavailable",
        reason: "not_found",
        retryable: false,
        action: "configure",
        detail: "unknown tool",
        remediation: JSON.parse(ordinary).remediation,
      });

      // "far" is quarantined: not even an administrator is led there.
      for (const by of [bot, admin]) assert.equal((await asks(by, ["far:tol"]))[0]?.did_you_mean, undefined);
      assert.deepEqual((await asks(bot, ["git:lok"]))[0]?.did_you_mean, ["git:log"]);
      assert.equal((await asks(bot, ["web:gt"]))[0]?.did_you_mean, undefined);
      assert.deepEqual((await asks(admin, ["web:gt"]))[0]?.did_you_mean, ["web:get"]);
    }),
);

test("a pin an agent gives is compared, but the present hash is never told it (spec 000 §4.3 rule 6)", () =>
  withApp(WORLD, async (opened) => {
    const app = withStates(opened, { git: {} });
    const pin = `sha256/v2:${"0".repeat(64)}`;
    const told = async (by: Actor) =>
      JSON.stringify(
        (await preflightTools(app, by, { tools: [{ id: "git:log", pin }], tier: by.caller.tier, signal })).tools[0],
      );

    const own = app.catalog.get("git:log")!.hash;
    assert.ok((await told(admin)).includes(own));
    assert.match(await told(agent(["git"], "api")), /"hash_mismatch"/);
    assert.ok(!(await told(agent(["git"], "api"))).includes(own));
  }));

test("a profile narrows an agent's own scope, in silence", () =>
  withApp(WORLD, async (opened) => {
    const app = withStates(opened, { git: {}, web: {} });
    const bot = agent(["git", "web"], "api");
    const asked = { tools: [{ id: "git:log" }, { id: "web:get" }], profile: "work", tier: "agent", signal } as const;

    const { tools } = await preflightTools(app, bot, asked);

    assert.deepEqual(
      tools.map((tool) => tool.reason ?? "ready"),
      ["ready", "not_found"],
    );
  }));

verifies("rest.preflight.503", "a state that cannot be read is no verdict, and writes no record", () =>
  withApp(WORLD, async (opened) => {
    const request = { tools: [{ id: "git:log" }], tier: "admin", signal } as const;
    const broken = () => {
      throw new Error("no");
    };
    const unreadable: App[] = [
      {
        ...opened,
        catalog: {
          ...opened.catalog,
          get ready() {
            return false;
          },
        },
      },
      { ...opened, catalog: { ...opened.catalog, ready: true, get: broken } },
      { ...opened, upstreams: { ...opened.upstreams, get: broken } },
    ];
    for (const app of unreadable)
      await assert.rejects(preflightTools(app, admin, request), { code: "check_unavailable" });
    assert.equal((await opened.store.activity.select({ type: ["preflight"] }, { limit: 1 })).total, 0);
  }),
);

verifies("rest.limit.did-you-mean", "at most three ids are suggested, however many are near", () => {
  const tools = Object.fromEntries(
    ["log1", "log2", "log3", "log4", "log5"].map((name) => [`git:${name}`, "approved"] as const),
  );
  return withApp({ connect: false, servers: [{ name: "git", command: "x" }], tools }, async (opened) => {
    const app = withStates(opened, { git: {} });
    const request = { tools: [{ id: "git:log" }], tier: "admin", signal } as const;
    const { tools: results } = await preflightTools(app, admin, request);
    assert.equal(results[0]?.did_you_mean?.length, 3);
  });
});
