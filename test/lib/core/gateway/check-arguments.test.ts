import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Config } from "#lib/core/config/config-keys.ts";
import type { ActivityRecord } from "#lib/core/schema/activity.ts";
import type { TestApp } from "#test/kit/app.ts";
import { program, type Served, serve, textOf, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const PROPERTIES = { path: { type: "string" }, limit: { type: "integer", minimum: 1 } };
const TOOLS = [
  {
    name: "closed",
    inputSchema: { type: "object", properties: PROPERTIES, required: ["path"], additionalProperties: false },
  },
  { name: "open", inputSchema: { type: "object", properties: PROPERTIES, required: ["path"] } },
  { name: "unsupported", inputSchema: { type: "object", properties: { path: { pattern: "^(?!x)" } } } },
  { name: "elsewhere", inputSchema: { $ref: "http://127.0.0.1:9/schema.json" } },
].map((tool) => ({ description: "A tool.", annotations: { readOnlyHint: true }, ...tool }));

let folder: string;
let file: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "proxy-arguments-"));
  file = join(folder, "tools.json");
  writeFileSync(file, JSON.stringify(TOOLS));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const fleet = (t: Parameters<typeof serve>[0], config: Partial<Config> = {}, server: object = {}) =>
  serve(t, { connect: true, servers: [{ ...program("fs", "--tools-file", file), ...server }], config });

/** One way to call a tool: whether it was made, and what was answered. */
type Way = (served: Served, tool: string, args: object) => Promise<{ called: boolean; text: string }>;

const overMcp =
  (path: string, message: (tool: string, args: object) => object): Way =>
  async ({ post }, tool, args) => {
    const { body } = await post(message(tool, args), { path });
    return { called: body.result.isError !== true, text: textOf(body.result) };
  };

const overRest = async ({ url, key }: Served, path: string, body: object) => {
  const headers = { "content-type": "application/json", "x-api-key": key };
  const response = await fetch(`${url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  return { status: response.status, body: (await response.json()) as any };
};

const WAYS: Readonly<Record<string, Way>> = {
  "call tools": overMcp("/mcp/call", (tool, args) =>
    toolCall("call_tool_read", { name: `fs:${tool}`, args, intent: { operation_type: "read" } }),
  ),
  "direct mode": overMcp("/mcp/all", (tool, args) => toolCall(`fs__${tool}`, args)),
  "a script": async (served, tool, args) => {
    const code = `call_tool("fs", ${JSON.stringify(tool)}, ${JSON.stringify(args)})`;
    const { body } = await overRest(served, "/code/exec", { code });
    const { ok, error } = body.value;
    return { called: ok, text: ok ? "" : `${error.code}: ${error.message}` };
  },
  "the REST API": async (served, tool, args) => {
    const { status, body } = await overRest(served, "/tools/call", { tool_name: `fs:${tool}`, arguments: args });
    return { called: status === 200, text: body.error ?? "" };
  },
};

async function records(app: TestApp, type: string, count: number): Promise<readonly ActivityRecord[]> {
  await until(
    "the records",
    async () => (await app.store.activity.select({ type: [type] }, { limit: 100 })).total >= count,
  );
  return (await app.store.activity.select({ type: [type] }, { limit: 100 })).records;
}

test("on every way, arguments that a closed schema does not allow are refused before the server sees them", async (t) => {
  const served = await fleet(t);
  for (const [name, way] of Object.entries(WAYS)) {
    const { called, text } = await way(served, "closed", { pth: "/x", limit: "5" });

    assert.equal(called, false, name);
    assert.match(text, /pth is not among the properties; did you mean "path"\?/, name);
    assert.match(text, /path is required but missing/, name);
    assert.match(text, /limit must be an integer, not a string/, name);
    assert.match(text, /Expected: .*limit: \{"type":"integer","minimum":1\}/, name);
    assert.equal((await way(served, "closed", { path: "/x", limit: 5 })).called, true, name);
  }
  const blocked = await records(served.app, "policy_decision", 4);
  assert.deepEqual(
    blocked.map(({ status, tool_name, metadata }) => [status, tool_name, metadata?.reason]),
    Object.keys(WAYS).map(() => ["blocked", "closed", "arguments_mismatch"]),
  );
  const calls = await records(served.app, "tool_call", 4);
  assert.equal(calls.filter(({ tool_name }) => tool_name === "closed").length, 4);
});

test("a script is told by a code of its own, and REST by the fields", async (t) => {
  const served = await fleet(t);
  assert.match((await WAYS["a script"]!(served, "closed", {})).text, /^ARGUMENTS_MISMATCH: /);

  const { status, body } = await overRest(served, "/tools/call", { tool_name: "fs:closed", arguments: { path: 1 } });

  assert.deepEqual([status, body.code], [400, "arguments_mismatch"]);
  assert.deepEqual(body.validation_errors, [{ field: "path", message: "must be a string, not an integer" }]);
});

test("what an open schema does not allow is sent, and written into the record", async (t) => {
  const served = await fleet(t);

  for (const way of Object.values(WAYS)) assert.equal((await way(served, "open", { limit: 0 })).called, true);

  const calls = (await records(served.app, "tool_call", 4)).filter(({ tool_name }) => tool_name === "open");
  for (const { metadata, status } of calls) {
    assert.equal(status, "success");
    assert.deepEqual(metadata?.argument_problems, ["path is required but missing", "limit must be at least 1"]);
  }
});

test("the setting of the server goes before the general one, and both are in force at once", async (t) => {
  const wrong = { limit: 1 };
  const rows: [
    general: Config["validate_arguments"],
    own: Config["validate_arguments"],
    tool: string,
    called: boolean,
  ][] = [
    [undefined, undefined, "closed", false],
    [undefined, undefined, "open", true],
    ["enforce", undefined, "open", false],
    ["warn", undefined, "closed", true],
    ["off", undefined, "closed", true],
    ["off", "enforce", "open", false],
    ["enforce", "off", "open", true],
    ["enforce", "warn", "closed", true],
  ];
  const served = await fleet(t);
  for (const [general, own, tool, called] of rows) {
    await served.app.config.update((draft) => {
      const server = draft.mcpServers[0]!;
      if (general) draft.validate_arguments = general;
      else delete draft.validate_arguments;
      if (own) server.validate_arguments = own;
      else delete server.validate_arguments;
    }, "test");
    const answer = await WAYS["the REST API"]!(served, tool, wrong);
    assert.equal(answer.called, called, JSON.stringify([general, own, tool]));
  }
});

test("what cannot be checked is sent, and the record says why it was not checked", async (t) => {
  const served = await fleet(t, { validate_arguments: "enforce" });
  const rows: [tool: string, args: object, why: RegExp][] = [
    ["unsupported", { path: "x" }, /pattern .* is not supported/],
    ["elsewhere", { any: 1 }, /leads out of the schema/],
  ];
  for (const [i, [tool, args, why]] of rows.entries()) {
    assert.equal((await WAYS["the REST API"]!(served, tool, args)).called, true, tool);
    const [last] = await records(served.app, "tool_call", i + 1);
    assert.match(String(last?.metadata?.arguments_unchecked ?? ""), why, tool);
  }
});

test("the schema that counts is the one listed last, and the refusal quotes no value", async (t) => {
  const served = await fleet(t);
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
  const { text } = await WAYS["the REST API"]!(served, "closed", { path: "x", limit: secret });
  assert.ok(!text.includes(secret));
  const [blocked] = await records(served.app, "policy_decision", 1);
  assert.ok(!JSON.stringify(blocked).includes(secret));

  const changed = TOOLS.map((tool) =>
    tool.name === "closed" ? { ...tool, inputSchema: { ...tool.inputSchema, required: [] } } : tool,
  );
  const before = served.app.catalog.get("fs:closed")?.hash;
  writeFileSync(file, JSON.stringify(changed));
  t.after(() => writeFileSync(file, JSON.stringify(TOOLS)));
  await until("the new listing", () => served.app.catalog.get("fs:closed")?.hash !== before);

  assert.equal((await WAYS["the REST API"]!(served, "closed", {})).called, true);
});
