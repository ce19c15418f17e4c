import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import { createKnownVersions } from "#lib/core/upstream/known-versions.ts";
import { protocol2025 } from "#lib/core/upstream/protocol/protocol-2025.ts";
import { protocol2026 } from "#lib/core/upstream/protocol/protocol-2026.ts";
import { handClock } from "#test/kit/clock.ts";
import { memoryLog } from "#test/kit/upstream.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const one = { name: "one", command: "node", args: ["a.mjs"] } as ServerConfig;

type Remember = "week" | "hour" | "no";
const opened = (family: typeof protocol2025, remember: Remember = "week", version = "1") => ({
  handshake: {
    family,
    protocolVersion: "",
    serverInfo: { name: "x", version },
    instructions: undefined,
    listChanged: false,
    tools: true,
    capabilities: {},
  },
  remember,
});

function setUp(stored?: unknown) {
  const rows = new Map<string, unknown>([["upstream.protocol_versions", stored]]);
  const meta = {
    get: (key: string) => rows.get(key),
    set: async (key: string, value: unknown) => void rows.set(key, value),
  };
  const clock = handClock();
  const configured = new Set(["one"]);
  const open = () =>
    createKnownVersions({ meta, clock, log: memoryLog().log, isConfigured: (name) => configured.has(name) });
  return { clock, rows, configured, open, versions: open() };
}

test("a protocol version is known for a week, an uncertain one for an hour or not at all", async () => {
  const rows: [remember: Remember, ms: number][] = [
    ["week", WEEK],
    ["hour", HOUR],
    ["no", 0],
  ];
  for (const [remember, ms] of rows) {
    const { clock, versions } = setUp();
    versions.learn(one, opened(protocol2026, remember));

    assert.equal(versions.get(one), ms > 0 ? "2026" : undefined, remember);
    await clock.advance(ms + 1);
    assert.equal(versions.get(one), undefined, remember);
  }
});

test("each connection in between does not put the next probe off", async () => {
  const { clock, versions } = setUp();
  versions.learn(one, opened(protocol2025));

  await clock.advance(WEEK - 1);
  versions.learn(one, opened(protocol2025));
  await clock.advance(1);

  assert.equal(versions.get(one), undefined);
});

test("another definition, and another version of an older server, are probed", () => {
  const { versions } = setUp();
  versions.learn(one, opened(protocol2025));

  assert.equal(versions.get({ ...one, args: ["b.mjs"] }), undefined);
  assert.equal(versions.get({ ...one, tool_discovery_interval: "1m" }), "2025");
  versions.learn(one, opened(protocol2025, "week", "2"));
  assert.equal(versions.get(one), undefined);
  versions.learn(one, opened(protocol2025, "week", "2"));
  assert.equal(versions.get(one), "2025");
});

test("what is known outlives the program, without the definition and without servers that are gone", async () => {
  const { rows, configured, open, versions } = setUp();
  const two = { name: "two", command: "node", env: { TOKEN: "sk-secret" } } as unknown as ServerConfig;
  configured.add("two");
  versions.learn(one, opened(protocol2026));
  versions.learn(two, opened(protocol2025));
  await versions.close();

  assert.equal(open().get(one), "2026");
  assert.equal(open().get(two), "2025");
  assert.doesNotMatch(JSON.stringify([...rows]), /sk-secret|a\.mjs/);
  configured.delete("two");
  versions.forget("one");
  await versions.close();
  assert.deepEqual(rows.get("upstream.protocol_versions"), {});
});

test("what many servers say in a second is written together", async () => {
  const { clock, rows, configured, versions } = setUp();
  for (let i = 0; i < 100; i++) {
    configured.add(`s${i}`);
    versions.learn({ ...one, name: `s${i}` }, opened(protocol2025));
  }

  assert.equal(rows.get("upstream.protocol_versions"), undefined);
  await clock.advance(1000);
  assert.equal(Object.keys(rows.get("upstream.protocol_versions") as object).length, 100);
});

test("a stored value that is none is as good as nothing", () => {
  for (const stored of [
    7,
    "x",
    [],
    { one: {} },
    { one: { family: "2027", definition: "", serverVersion: "", expiresAt: 9e15 } },
  ])
    assert.equal(setUp(stored).versions.get(one), undefined, JSON.stringify(stored));
});
