import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "#lib/core/app.ts";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import { judgeId, reasonsFor, toolSnapshot, visibleTo } from "#lib/core/gateway/tool-snapshot.ts";
import { type Caller, FULL_SCOPE, INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import type { ConnectionStatus } from "#lib/core/schema/connection-status.ts";
import type { ToolRow } from "#lib/core/schema/tool.ts";
import { coreParts } from "#test/kit/parts.ts";
import { HASH, toolRow } from "#test/kit/snapshot.ts";
import { verifies } from "#test/kit/verifies.ts";

const READY: ConnectionStatus = { state: "Ready", since: 0, attempts: 1, reconnects: 0, connectedAt: 1 };

interface World {
  servers: (Partial<ServerConfig> & { name: string })[];
  rows?: ToolRow[];
  states?: Record<string, Partial<ConnectionStatus>>;
  config?: Record<string, unknown>;
  evidence?: "complete" | "lost";
}

/** The three members of an App that a snapshot is joined from, as plain values; `asked` counts questions about servers. */
function world({
  servers,
  rows = [],
  states = {},
  config = {},
  evidence = "complete",
}: World): App & { asked: () => number } {
  let asked = 0;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const app: object = {
    config: {
      current: () => ({ quarantine_enabled: true, lock: { enforce: false }, ...config }),
      server: (name: string) => {
        asked++;
        const found = servers.find((s) => s.name === name);
        return found && { enabled: true, ...found };
      },
      quarantined: (server: ServerConfig) => server.quarantined ?? false,
    },
    store: { evidence: { state: evidence } },
    catalog: { get: (id: string) => byId.get(id), all: () => byId.values() },
    upstreams: {
      get: (name: string) => (states[name] ? { status: () => ({ ...READY, ...states[name] }) } : undefined),
    },
    asked: () => asked,
    part: coreParts(() => app),
  };
  // Only these members are read.
  return app as unknown as App & { asked: () => number };
}

const AGENT: Caller = {
  tier: "agent",
  name: "a",
  listener: "tcp",
  scope: { ...FULL_SCOPE, servers: new Set(["git"]) },
};

test("a snapshot joins configuration, connection and catalog", () => {
  const row = toolRow({ name: "a:b" });
  const app = world({ servers: [{ name: "git" }], rows: [row], states: { git: {} } });

  assert.deepEqual(toolSnapshot(app, "git:a:b"), {
    id: "git:a:b",
    server: {
      name: "git",
      enabled: true,
      quarantined: false,
      state: "Ready",
      authRequired: false,
      trusted: false,
      action: "",
    },
    tool: row,
    denied: false,
  });
});

test("an id of an unknown server, or of no form, knows nothing", () => {
  const app = world({ servers: [{ name: "git" }] });

  for (const id of ["", "git", ":x", "git:", "other:log"])
    assert.deepEqual(toolSnapshot(app, id), { id, denied: false });
});

test("a server that nothing is known of yet is connecting (spec 000 §2.6)", () => {
  const untried = { state: "Disconnected", attempts: 0, connectedAt: undefined } as unknown as ConnectionStatus;
  const app = world({
    servers: [{ name: "new" }, { name: "fresh" }, { name: "lost" }],
    states: { fresh: untried, lost: { state: "Disconnected" } },
  });

  assert.equal(toolSnapshot(app, "new:x").server?.state, "Connecting");
  assert.equal(toolSnapshot(app, "fresh:x").server?.state, "Connecting");
  assert.equal(toolSnapshot(app, "lost:x").server?.state, "Disconnected");
});

test("an allow-list and a deny-list of the operator leave tools out", () => {
  const rows: [Partial<ServerConfig>, boolean][] = [
    [{}, false],
    [{ enabled_tools: ["log"] }, false],
    [{ enabled_tools: ["diff"] }, true],
    [{ enabled_tools: [] }, false],
    [{ disabled_tools: ["log"] }, true],
    [{ disabled_tools: ["diff"] }, false],
  ];
  for (const [server, denied] of rows)
    assert.equal(toolSnapshot(world({ servers: [{ name: "git", ...server }] }), "git:log").denied, denied);
});

test("quarantine switched off, or trust mode auto, makes a server trusted", () => {
  const trusted = (server: Partial<ServerConfig>, config = {}) =>
    toolSnapshot(world({ servers: [{ name: "git", ...server }], config }), "git:log").server?.trusted;

  assert.equal(trusted({}), false);
  assert.equal(trusted({ trust_mode: "manual" }), false);
  assert.equal(trusted({ trust_mode: "scan" }), false);
  assert.equal(trusted({ trust_mode: "auto" }), true);
  assert.equal(trusted({}, { quarantine_enabled: false }), true);
  const lost = world({ servers: [{ name: "git", trust_mode: "auto" }], evidence: "lost" });
  assert.equal(toolSnapshot(lost, "git:log").server?.trusted, false, "not while the database with blocks is missing");
});

test("a server that is away brings its remedy along", () => {
  const app = world({
    servers: [{ name: "git" }],
    rows: [toolRow()],
    states: { git: { state: "Error", lastError: "timeout", failureCause: "connection_timeout" } },
  });

  assert.equal(toolSnapshot(app, "git:log").server?.action, "restart");
  const { verdict } = judgeId(app, INTERNAL_CALLER, "git:log", { connection: true });
  assert.ok(!verdict.ready);
  assert.deepEqual([verdict.reason, verdict.action], ["server_unhealthy", "restart"]);
});

verifies(
  ["rest.preflight.agent-silence", "rest.preflight.agent-no-hash"],
  "an id outside a caller's scope is judged like one that never was, and nothing is handed out about it",
  () => {
    const app = world({
      servers: [{ name: "git" }, { name: "mail" }],
      rows: [toolRow(), toolRow({ server: "mail" })],
      states: { git: {}, mail: {} },
    });
    const ask = (id: string, caller = AGENT) => judgeId(app, caller, id, { connection: true });

    const silent = ask("mail:log");
    assert.deepEqual(silent.verdict, ask("git:none").verdict);
    assert.deepEqual(silent.known, { id: "mail:log", denied: false });
    assert.deepEqual(ask("nowhere:log").verdict, silent.verdict);
    assert.equal(ask("git:log").verdict.ready, true);
    assert.equal(ask("git:log").known.tool?.name, "log");
  },
);

test("the present hash is named to administrators, unless they ask as an agent would (spec 000 §2.6)", () => {
  const app = world({ servers: [{ name: "git" }], rows: [toolRow()], states: { git: {} } });
  const detail = (caller: Caller, tier?: Caller["tier"]) => {
    const pin = `sha256/v2:${"b".repeat(64)}`;
    const { verdict } = judgeId(app, caller, "git:log", { connection: true, pin, ...(tier && { tier }) });
    return verdict.ready ? "" : verdict.detail;
  };

  assert.ok(detail(INTERNAL_CALLER).includes(HASH));
  assert.ok(!detail(INTERNAL_CALLER, "agent").includes(HASH));
  assert.ok(!detail(AGENT).includes(HASH));
});

verifies(
  "mcp.describe.visibility",
  "what a caller may see leaves out scope, quarantine, approval, blocks and filters",
  () => {
    const rows = [
      toolRow(),
      toolRow({ name: "pending", status: "pending" }),
      toolRow({ name: "changed", status: "changed" }),
      toolRow({ name: "blocked", disabled: true }),
      toolRow({ name: "denied" }),
      toolRow({ server: "mail" }),
      toolRow({ server: "bad" }),
      toolRow({ server: "off" }),
      toolRow({ server: "gone" }),
    ];
    const app = world({
      servers: [
        { name: "git", disabled_tools: ["denied"] },
        { name: "mail" },
        { name: "bad", quarantined: true },
        { name: "off", enabled: false },
      ],
      rows,
      states: { git: { state: "Error" } },
    });
    const seenBy = (caller: Caller, policy = {}) => rows.filter(visibleTo(app, caller, policy)).map((row) => row.id);

    assert.deepEqual(seenBy(INTERNAL_CALLER), ["git:log", "mail:log"]);
    assert.deepEqual(seenBy(AGENT), ["git:log"]);
    assert.deepEqual(seenBy(INTERNAL_CALLER, { read_only_only: true }), []);
    assert.deepEqual(rows.map(reasonsFor(app, AGENT)), [
      undefined,
      "tool_pending_approval",
      "tool_changed",
      "tool_blocked_by_user",
      "tool_denied_by_config",
      "server_not_in_scope",
      "server_not_in_scope",
      "server_not_in_scope",
      "server_not_configured",
    ]);
  },
);

test("one search over ten thousand tools asks about each server once", () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => toolRow({ server: `s${i % 20}`, name: `t${i}` }));
  const app = world({ servers: Array.from({ length: 20 }, (_, i) => ({ name: `s${i}` })), rows });

  assert.equal(rows.filter(visibleTo(app, INTERNAL_CALLER)).length, 10_000);
  assert.equal(app.asked(), 20);
});
