import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import { REASONS } from "#lib/core/policy/reasons.ts";
import type { ConnectionStatus } from "#lib/core/schema/connection-status.ts";
import { preflightWaits } from "#lib/core/verbs/tools/poll-while.ts";
import { type TestOptions, withApp } from "#test/kit/app.ts";
import { handClock } from "#test/kit/clock.ts";
import { ask, call } from "#test/kit/http.ts";
import { withStates } from "#test/kit/states.ts";
import { verifies } from "#test/kit/verifies.ts";

const ROUTE = "POST /api/v1/preflight";

const WORLD: TestOptions = {
  connect: false,
  config: { profiles: [{ name: "work", servers: ["git"] }] },
  servers: [
    { name: "git", command: "x", disabled_tools: ["denied"] },
    { name: "down", command: "x" },
    { name: "slow", command: "x" },
    { name: "login", url: "https://h.example/mcp" },
    { name: "far", command: "x", quarantined: true },
    { name: "off", command: "x", enabled: false },
  ],
  tools: {
    "git:log": { annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false } },
    "git:push": { annotations: { readOnlyHint: false } },
    "git:bare": {},
    "git:new": "pending",
    "git:moved": "changed",
    "git:denied": "approved",
    "far:tool": "approved",
    "off:tool": "approved",
    "down:tool": "approved",
    "slow:tool": "approved",
    "login:tool": "approved",
  },
};
const STATES: Record<string, Partial<ConnectionStatus>> = {
  git: {},
  down: { state: "Error", lastError: "gone" },
  slow: { state: "Connecting" },
  login: { state: "Error", authRequired: true },
};

const world = (fn: (app: App) => Promise<void>, states = STATES, options: TestOptions = {}) =>
  withApp({ ...WORLD, ...options }, (app) => fn(withStates(app, states)));
const tools = (...ids: string[]) => ids.map((id) => ({ id }));

verifies(
  [
    "rest.preflight.post",
    "rest.preflight.response",
    "rest.preflight.result",
    "rest.preflight.result-ready",
    "rest.preflight.result-failure",
    "rest.preflight.operator-tier",
    "rest.preflight.order",
    "rest.preflight.malformed-id",
    "rest.preflight.200-when-blocked",
    "rest.health.action-empty",
  ],
  "each tool asked about gets its verdict, in the order of asking",
  () =>
    world(async (app) => {
      const asked = ["git:log", "git:new", "plain", " git:log ", "far:tool", "slow:tool", "nowhere:x", "git:lok"];

      const data = await call(app, ROUTE, { body: { tools: tools(...asked) } });

      assert.equal(data.verdict, "unknown_ids");
      assert.match(data.checked_at, /^\d{4}-\d\d-\d\dT/);
      assert.ok(!("waited_ms" in data));
      assert.deepEqual(
        data.tools.map((tool) => [tool.id, tool.reason ?? tool.status, tool.action, tool.retryable]),
        [
          ["git:log", "ready", undefined, undefined],
          ["git:new", "tool_pending_approval", "approve", false],
          ["plain", "not_found", "configure", false],
          ["far:tool", "server_quarantined", "approve", false],
          ["slow:tool", "server_initializing", undefined, true],
          ["nowhere:x", "server_not_configured", "configure", false],
          ["git:lok", "not_found", "configure", false],
        ],
      );
      assert.deepEqual(data.tools[0], { id: "git:log", status: "ready", hash: app.catalog.get("git:log")!.hash });
      assert.match(data.tools[2]?.detail ?? "", /server:tool/);
      assert.deepEqual(data.tools[6]?.did_you_mean, ["git:log"]);
      for (const tool of data.tools.slice(1)) assert.ok(tool.detail && tool.remediation && !tool.hash, tool.id);
    }),
);

verifies(
  ["rest.preflight.worst", "rest.preflight.classes", "rest.preflight.closed-enum"],
  "the verdict of the set is its worst class",
  () =>
    world(async (app) => {
      const rows: [string[], string][] = [
        [["git:log"], "ready"],
        [["git:log", "slow:tool"], "degraded_retryable"],
        [["down:tool"], "degraded_retryable"],
        [["slow:tool", "git:moved"], "blocked"],
        [["login:tool"], "blocked"],
        [["off:tool"], "blocked"],
        [["git:denied"], "blocked"],
        [["git:moved", "git:zzzz", "slow:tool"], "unknown_ids"],
      ];
      for (const [ids, verdict] of rows)
        assert.equal((await call(app, ROUTE, { body: { tools: tools(...ids) } })).verdict, verdict, ids.join());
      assert.ok(!("server_saturated" in REASONS));
    }),
);

verifies(
  ["rest.preflight.pin-format", "rest.preflight.entry"],
  "a pin that holds is ready, one that does not is a mismatch, named by what it is now",
  () =>
    world(async (app) => {
      const { hash } = app.catalog.get("git:log")!;
      const verdict = async (pin_hash: string) =>
        (await call(app, ROUTE, { body: { tools: [{ id: "git:log", pin_hash }] } })).tools[0];

      assert.equal((await verdict(hash))?.status, "ready");
      for (const pin of [hash.replace(/.$/, (c) => (c === "0" ? "1" : "0")), hash.replace("/v2:", "/v1:")]) {
        const told = await verdict(pin);
        assert.equal(told?.reason, "hash_mismatch");
        assert.ok(told?.detail?.includes(hash));
      }
      for (const pin of ["", "sha256:abc"]) assert.match((await verdict(pin))?.detail ?? "", /malformed/);
    }),
);

verifies("rest.preflight.policy", "the first filter that leaves a tool out owns the verdict", () =>
  world(async (app) => {
    const rows: [string, object, string, RegExp?][] = [
      ["git:log", { read_only_only: true, exclude_destructive: true, exclude_open_world: true }, "ready"],
      ["git:push", { read_only_only: true, exclude_destructive: true }, "policy_filtered", /read_only_only/],
      ["git:push", { read_only_only: false, exclude_destructive: true }, "missing_annotation", /exclude_destructive/],
      ["git:bare", { exclude_destructive: true, exclude_open_world: true }, "missing_annotation", /destructive/],
      ["git:bare", { exclude_open_world: true }, "missing_annotation", /open_world/],
      ["git:bare", {}, "ready"],
    ];
    for (const [id, policy, wanted, detail = /^/] of rows) {
      const [tool] = (await call(app, ROUTE, { body: { tools: tools(id), policy } })).tools;
      assert.equal(tool?.reason ?? tool?.status, wanted, `${id} ${JSON.stringify(policy)}`);
      assert.match(tool?.detail ?? "", detail);
    }
  }),
);

verifies(
  ["rest.preflight.profile", "rest.preflight.profile-unknown"],
  "a profile narrows what is seen; one that is unknown is refused",
  () =>
    world(async (app) => {
      const body = { tools: tools("git:log", "slow:tool"), profile: "work" };

      const data = await call(app, ROUTE, { body });

      assert.deepEqual(
        data.tools.map((tool) => tool.reason ?? "ready"),
        ["ready", "server_not_in_scope"],
      );
      assert.match(data.tools[1]?.detail ?? "", /profile "work"/);
      const refused = await ask(app, ROUTE, { body: { ...body, profile: "play" } });
      assert.deepEqual([refused.status, refused.body.error], [400, 'profile: unknown profile "play"']);
    }),
);

verifies(
  [
    "rest.preflight.400",
    "rest.preflight.tools",
    "rest.preflight.tools-raw",
    "rest.preflight.wait-range",
    "rest.preflight.body-strict",
    "rest.preflight.body-one-object",
    "rest.preflight.body-size",
    "rest.preflight.duplicates",
    "rest.limit.preflight-tools",
    "rest.limit.preflight-wait",
    "rest.limit.preflight-body",
    "rest.activity.preflight-refused",
    "rest.error.400",
  ],
  "what cannot be asked is refused with 400 by name, and leaves no record",
  () =>
    world(async (app) => {
      const one = tools("git:log");
      const pin = `sha256/v2:${"0".repeat(64)}`;
      const rows: [unknown, RegExp][] = [
        ["{", /cannot be read as JSON/],
        ['{"tools":[{"id":"git:log"}]} {}', /cannot be read as JSON/],
        ["[]", /must be a JSON object/],
        ["", /empty/],
        [{}, /^tools: is required/],
        [{ tools: [] }, /^tools: must hold 1 to 100 entries/],
        [{ tools: Array.from({ length: 101 }, () => one[0]) }, /^tools: must hold 1 to 100/],
        [{ tools: "git:log" }, /^tools: must be a list/],
        [{ tools: ["git:log"] }, /^tools\[0\]: must be an object/],
        [{ tools: [{ id: 7 }] }, /^tools\[0\]\.id: must be a string/],
        [{ tools: [...one, { pin_hash: pin }] }, /^tools\[1\]\.id: is required/],
        [{ tools: [{ id: "git:log", pin_hash: 7 }] }, /^tools\[0\]\.pin_hash: must be a string/],
        [{ tools: [{ id: "git:log", pin }] }, /^tools\[0\]\.pin: unknown field; known fields: id, pin_hash/],
        [{ tools: one, wait: 5 }, /^wait: unknown field; known fields: tools, profile, policy, wait_ms/],
        [{ tools: one, policy: { readonly: true } }, /^policy\.readonly: unknown field/],
        [{ tools: one, policy: { read_only_only: "yes" } }, /^policy\.read_only_only: must be true or false/],
        [{ tools: one, wait_ms: 10_001 }, /^wait_ms: must be a whole number from 0 to 10000/],
        [{ tools: one, wait_ms: -1 }, /^wait_ms: must be a whole number/],
        [{ tools: one, wait_ms: 1.5 }, /^wait_ms: must be a whole number/],
        [{ tools: one, wait_ms: "5" }, /^wait_ms: must be a number/],
        [{ tools: one, profile: "play" }, /^profile: /],
        [{ tools: [{ id: "git:log", pin_hash: pin }, { id: " git:log" }] }, /^tools: "git:log" is listed twice/],
        [{ tools: one, profile: "x".repeat(1 << 20) }, /larger than 1048576 bytes/],
      ];
      for (const [body, text] of rows) {
        const { status, body: answer } = await ask(app, ROUTE, { body });
        assert.deepEqual([status, text.test(answer.error)], [400, true], `${text}: ${answer.error}`);
      }
      assert.equal((await app.store.activity.select({ type: ["preflight"] }, { limit: 1 })).total, 0);
      const most = Array.from({ length: 100 }, (_, i) => ({ id: `git:t${i % 3}`, pin_hash: pin }));
      assert.equal((await call(app, ROUTE, { body: { tools: most } })).tools.length, 3);
    }),
);

verifies("rest.preflight.401", "nobody checks without a credential", () =>
  world(async (app) => {
    for (const as of ["nobody", { "x-api-key": "wrong" }] as const)
      assert.equal((await ask(app, ROUTE, { as, body: { tools: tools("git:log") } })).status, 401);
  }),
);

verifies(
  ["rest.activity.preflight-record", "rest.activity.preflight-ids-only", "rest.preflight.no-side-effects"],
  "a check is written down before its answer, by ids and codes only, and touches nothing else",
  () =>
    world(async (app) => {
      const before = JSON.stringify([...app.catalog.all()]);

      await call(app, ROUTE, { body: { tools: tools("git:log", "git:new", "git:log") } });

      const { records } = await app.store.activity.select({}, { limit: 10 });
      assert.equal(records.length, 1);
      const [{ id: _, at: __, request_id, ...record }] = records as [(typeof records)[0]];
      assert.match(request_id ?? "", /^[\w-]{36}$/);
      assert.deepEqual(record, {
        type: "preflight",
        source: "api",
        status: "success",
        actor: "admin",
        auth_type: "admin",
        metadata: {
          verdict: "blocked",
          ids_count: 2,
          reasons: ["tool_pending_approval"],
          per_tool: [
            { id: "git:log", reason: "ready" },
            { id: "git:new", reason: "tool_pending_approval" },
          ],
          surface: "api",
        },
      });
      // Upstreams of this world refuse to be asked.
      assert.equal(JSON.stringify([...app.catalog.all()]), before);
    }),
);

verifies(
  ["rest.preflight.503", "rest.error.503"],
  "a check that cannot be written down or read honestly is 503, without a verdict",
  () =>
    world(async (app) => {
      const add = () => Promise.reject(new Error("no space"));
      const full: App = { ...app, store: { ...app.store, activity: { ...app.store.activity, add } } };
      const early: App = { ...app, catalog: { ...app.catalog, ready: false } };
      for (const [broken, text] of [
        [full, /could not be recorded/],
        [early, /not indexed yet/],
      ] as const) {
        const { status, body } = await ask(broken, ROUTE, { body: { tools: tools("git:log") } });
        assert.deepEqual([status, body.success, body.data], [503, false, undefined]);
        assert.match(body.error, text);
      }
    }),
);

verifies(
  ["rest.preflight.wait-retryable", "rest.preflight.waited-ms", "rest.preflight.wait-ends"],
  "waiting goes on only while every failure may pass, and says how long it was",
  async () => {
    const clock = handClock();
    const states = {
      ...STATES,
      git: {} as Partial<ConnectionStatus>,
      slow: { state: "Connecting" } as Partial<ConnectionStatus>,
    };
    await world(
      async (app) => {
        const waits = async (ids: string[], wait_ms: number, meanwhile = async () => {}) => {
          const answer = call(app, ROUTE, { body: { tools: tools(...ids), wait_ms } });
          await clock.advance(100);
          await meanwhile();
          for (let i = 0; i < 60; i++) await clock.advance(250);
          const { verdict, waited_ms } = await answer;
          return [verdict, waited_ms];
        };

        assert.deepEqual(await waits(["git:log"], 5000), ["ready", 0]);
        assert.deepEqual(await waits(["slow:tool"], 0), ["degraded_retryable", 0]);
        assert.deepEqual(await waits(["slow:tool", "git:new"], 5000), ["blocked", 0]);
        assert.deepEqual(await waits(["slow:tool", "down:tool"], 10_000), ["degraded_retryable", 10_000]);
        const fails = async () => {
          states.slow = { state: "Error", authRequired: true };
        };
        assert.deepEqual(await waits(["slow:tool"], 5000, fails), ["blocked", 250]);
        states.slow = { state: "Connecting" };
        const connects = async () => {
          await clock.advance(600);
          states.slow = {};
        };
        assert.deepEqual(await waits(["slow:tool"], 5000, connects), ["ready", 750]);
      },
      states,
      { clock },
    );
  },
);

test("a client that leaves ends its waiting, and nothing is recorded", async () => {
  const clock = handClock();
  await world(
    async (app) => {
      const { router } = await import("#handlers/router.ts");
      const leaving = new AbortController();
      const request = new Request("http://localhost/api/v1/preflight", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ tools: tools("slow:tool"), wait_ms: 10_000 }),
        signal: leaving.signal,
      });
      const answer = router(app).fetch(request, { listener: "socket" });
      await clock.advance(1000);
      assert.equal(app.part(preflightWaits).taken, 1);

      leaving.abort();

      assert.equal((await answer).status, 499);
      assert.equal(app.part(preflightWaits).taken, 0);
      assert.equal((await app.store.activity.select({}, { limit: 1 })).total, 0);
    },
    STATES,
    { clock },
  );
});
