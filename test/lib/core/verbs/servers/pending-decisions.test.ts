import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countPendingDecisions,
  type PendingDecisionFacts,
  type PendingDecisions,
  pendingDecisionsText,
} from "#lib/core/verbs/servers/pending-decisions.ts";
import { withApp } from "#test/kit/app.ts";
import { call } from "#test/kit/http.ts";

const server = (more: Partial<PendingDecisionFacts> = {}): PendingDecisionFacts => ({
  enabled: true,
  quarantined: false,
  ...more,
});
const tools = (pending_count: number, changed_count = 0, blocked_count = 0) => ({
  quarantine: { pending_count, changed_count, blocked_count },
});
const items = (pending_count: number, changed_count = 0, blocked_count = 0) => ({
  quarantine: { ...tools(0).quarantine, items: { pending_count, changed_count, blocked_count } },
});

test("what waits for a person is counted by one rule", () => {
  const rows: [PendingDecisionFacts[], Omit<PendingDecisions, "total">, text: string | undefined][] = [
    [[], { servers: 0, tools: 0, items: 0 }, undefined],
    [[server()], { servers: 0, tools: 0, items: 0 }, undefined],
    [[server(tools(1))], { servers: 0, tools: 1, items: 0 }, "1 tool waits for a review"],
    [[server(tools(1, 2, 4))], { servers: 0, tools: 3, items: 0 }, "3 tools wait for a review"],
    [[server(tools(0, 0, 4))], { servers: 0, tools: 0, items: 0 }, undefined],
    [[server({ quarantined: true })], { servers: 1, tools: 0, items: 0 }, "1 server waits for a review"],
    [[server({ quarantined: true, ...tools(5) })], { servers: 1, tools: 0, items: 0 }, "1 server waits for a review"],
    [[server({ quarantined: true, held: true })], { servers: 1, tools: 0, items: 0 }, "1 server waits for a review"],
    [[server({ enabled: false, quarantined: true, ...tools(5, 5) })], { servers: 0, tools: 0, items: 0 }, undefined],
    [
      [server({ quarantined: true }), server(tools(1)), server({ quarantined: true }), server()],
      { servers: 2, tools: 1, items: 0 },
      "2 servers and 1 tool wait for a review",
    ],
    [[server(items(1))], { servers: 0, tools: 0, items: 1 }, "1 prompt or resource waits for a review"],
    [
      [server({ quarantined: true }), server(items(2, 1, 4)), server(tools(1))],
      { servers: 1, tools: 1, items: 3 },
      "1 server, 1 tool and 3 prompts and resources wait for a review",
    ],
    [[server({ quarantined: true, ...items(2) })], { servers: 1, tools: 0, items: 0 }, "1 server waits for a review"],
  ];
  for (const [servers, count, text] of rows) {
    const found = countPendingDecisions(servers);
    assert.deepEqual(found, { ...count, total: count.servers + count.tools + count.items }, JSON.stringify(servers));
    assert.equal(pendingDecisionsText(found), text);
  }
});

test("status and list say the same number; what is blocked, denied, approved by a setting or of a disabled server is not in it", () =>
  withApp(
    {
      connect: false,
      servers: [
        { name: "git", command: "x", disabled_tools: ["denied"] },
        { name: "new", command: "x", quarantined: true },
        { name: "off", command: "x", enabled: false },
        { name: "auto", command: "x", trust_mode: "auto" },
      ],
      tools: {
        "git:a": "pending",
        "git:b": "changed",
        "git:denied": "pending",
        "git:ok": "approved",
        "new:a": "pending",
        "off:a": "pending",
        "auto:a": "pending",
      },
    },
    async (app) => {
      const status = await call(app, "GET /api/v1/status", {});
      const { stats, servers } = await call(app, "GET /api/v1/servers", {});

      assert.deepEqual(status.waiting, { servers: 1, tools: 2, items: 0, total: 3 });
      assert.deepEqual(stats.waiting, status.waiting);
      assert.equal(servers.find(({ name }) => name === "git")?.quarantine?.pending_count, 1);
    },
  ));
