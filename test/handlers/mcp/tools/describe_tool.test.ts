import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestOptions } from "#test/kit/app.ts";
import { jsonOf, serve, textOf } from "#test/kit/mcp.ts";
import { verifies } from "#test/kit/verifies.ts";

const schema = {
  type: "object" as const,
  properties: { path: { $ref: "#/$defs/p" } },
  $defs: { p: { type: "string" } },
};
const SERVERS: TestOptions = {
  servers: [
    { name: "git", command: "x", disabled_tools: ["denied"] },
    { name: "far", command: "x", quarantined: true },
    { name: "off", command: "x", enabled: false },
  ],
  tools: {
    "git:log": { description: "Lists commits", inputSchema: schema, annotations: { readOnlyHint: true } },
    "git:new": { description: "PURPLE", status: "pending" },
    "git:moved": { description: "PURPLE", status: "changed" },
    "git:denied": "approved",
    "far:tool": { description: "PURPLE" },
    "off:tool": "approved",
  },
};

verifies(
  ["mcp.describe.entry", "mcp.describe.codes", "mcp.describe.ids"],
  "each id gets its definition or its own error",
  async (t) => {
    const client = await (await serve(t, SERVERS)).client();
    const describe = (args: object) =>
      client.callTool({ name: "describe_tool", arguments: args as Record<string, unknown> });

    const first = await describe({ ids: ["git:log", "git:new", "git:moved", "far:tool", "off:tool"] });

    const { definitions, errors } = jsonOf(first);
    assert.deepEqual(definitions, [
      {
        name: "git:log",
        description: "Lists commits",
        inputSchema: schema,
        server: "git",
        annotations: { readOnlyHint: true },
        call_with: "call_tool_read",
      },
    ]);
    assert.deepEqual(
      errors.map((e: { id: string; error: string }) => [e.id, e.error]),
      [
        ["git:new", "pending_approval"],
        ["git:moved", "changed"],
        ["far:tool", "quarantined"],
        ["off:tool", "disabled"],
      ],
    );
    assert.ok(!textOf(first).includes("PURPLE"));
    const second = jsonOf(await describe({ tool_ids: ["git:denied", "git:lok", "nowhere:x", "plain", "git:lok"] }));
    assert.deepEqual(
      second.errors.map((e: { id: string; error: string }) => [e.id, e.error]),
      [
        ["git:denied", "disabled"],
        ["git:lok", "not_found"],
        ["nowhere:x", "not_found"],
        ["plain", "not_found"],
      ],
    );
    assert.match(second.errors[1].remediation, /git:log/);
    assert.match(second.errors[2].remediation, /unknown tool/);
    assert.match(second.errors[3].remediation, /an id has the form server:tool/);
    assert.match(errors[0].remediation, /proxy tools approve git:new$/);
    assert.match(errors[1].remediation, /proxy tools diff git:moved$/);
  },
);

verifies(
  ["mcp.check.ids", "mcp.check.answer", "mcp.check.tier", "mcp.check.same-evaluator"],
  "a check says of each tool whether it could be called, as to an agent, and is written down first",
  async (t) => {
    const { app, client } = await serve(t, SERVERS);
    const mcp = await client("/mcp/call", { "x-request-id": "check-1" });
    const ids = ["git:log", "git:new", "git:moved", "far:tool", "off:tool", "nowhere:x", "plain", " git:log "];

    const answer = jsonOf(await mcp.callTool({ name: "describe_tool", arguments: { ids, check: true } }));

    assert.equal(answer.verdict, "unknown_ids");
    assert.equal(answer.request_id, "check-1");
    assert.match(answer.checked_at, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(
      answer.results.map((r: { id: string; reason: string }) => [r.id, r.reason]),
      [
        ["git:log", "server_initializing"],
        ["git:new", "tool_pending_approval"],
        ["git:moved", "tool_changed"],
        ["far:tool", "server_quarantined"],
        ["off:tool", "server_disabled"],
        ["nowhere:x", "not_found"],
        ["plain", "not_found"],
      ],
    );
    assert.ok(!JSON.stringify(answer).includes("sha256"));
    const [record] = (await app.store.activity.select({ type: ["preflight"] }, { limit: 1 })).records;
    assert.equal(record?.request_id, "check-1");
    assert.deepEqual(record?.metadata?.verdict, "unknown_ids");
    assert.equal(record?.metadata?.ids_count, 7);
  },
);

test("filters of a check are annotation filters, the first that excludes owning the verdict", async (t) => {
  const client = await (await serve(t, { ...SERVERS, connect: false })).client();
  const check = async (filters: object) =>
    jsonOf(await client.callTool({ name: "describe_tool", arguments: { ids: ["git:new"], check: true, filters } }));
  assert.equal((await check({ read_only_only: true })).results[0].reason, "tool_pending_approval");
  assert.equal((await check({})).results[0].reason, "tool_pending_approval");
});

verifies(
  ["mcp.check.no-extras", "limit.describe"],
  "what a check or a description does not take is refused by name",
  async (t) => {
    const client = await (await serve(t, SERVERS)).client();
    const ids = (n: number) => Array.from({ length: n }, (_, i) => `git:t${i}`);
    const rows: [object, RegExp][] = [
      [{}, /ids: send 1 to 5/],
      [{ ids: [] }, /ids: send 1 to 5/],
      [{ ids: ids(6) }, /ids: send 1 to 5/],
      [{ ids: ids(51), check: true }, /ids: send 1 to 50/],
      [{ ids: "git:log" }, /ids/],
      [{ ids: ids(1), tool_ids: ids(2) }, /tool_ids is an alias of ids/],
      [{ ids: ids(1), check: true, profile: "p" }, /unknown parameter "profile"/],
      [{ ids: ids(1), check: true, wait_ms: 5 }, /unknown parameter "wait_ms"/],
      [{ ids: [7] }, /ids\[0\]: must be a string/],
      [{ ids: ids(1), check: "yes" }, /check/],
      [{ ids: ids(1), check: true, expect_hashes: {} }, /expect_hashes/],
      [{ ids: ids(1), filters: { read_only_only: true } }, /filters requires check: true/],
      [{ ids: ids(1), check: true, filters: { surprise: true } }, /filters/],
      [{ ids: ids(1), check: true, filters: { read_only_only: 1 } }, /filters\.read_only_only/],
    ];
    for (const [args, text] of rows) {
      const answer = await client.callTool({ name: "describe_tool", arguments: args as Record<string, unknown> });
      assert.equal(answer.isError, true, JSON.stringify(args));
      assert.match(textOf(answer), text);
    }
    assert.equal(
      (await client.callTool({ name: "describe_tool", arguments: { ids: ids(50), check: true } })).isError,
      undefined,
    );
  },
);
