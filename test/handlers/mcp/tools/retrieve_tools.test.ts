import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestOptions } from "#test/kit/app.ts";
import { jsonOf, serve, textOf } from "#test/kit/mcp.ts";
import { verifies } from "#test/kit/verifies.ts";

const schema = {
  type: "object" as const,
  properties: { path: { type: "string" }, filter: { type: "object" }, depth: { type: "integer", default: 3 } },
  required: ["path"],
};
const COMMITS = "Lists commits of a repository. Newest first.";
const SERVERS: TestOptions = {
  servers: [
    { name: "git", command: "x" },
    { name: "far", command: "x", quarantined: true },
  ],
  tools: {
    "git:log": { description: COMMITS, inputSchema: schema, annotations: { readOnlyHint: true, openWorldHint: false } },
    "git:commit": {
      description: "Makes a commit in a repository",
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    "git:drop": { description: "Deletes commits of a repository", annotations: { destructiveHint: true } },
    "git:bare": { description: "Shows one commit" },
    "git:new": { description: "Rewrites commits PURPLE", status: "pending" },
    "git:moved": { description: "Moves commits PURPLE", status: "changed" },
    "far:commits": { description: "Commits far away PURPLE" },
  },
};
interface Entry {
  id: string;
  name: string;
  call_with: string;
  sig: string;
}

verifies("mcp.retrieve.call-with", "results name the call variant that fits their annotations", async (t) => {
  const client = await (await serve(t, SERVERS)).client();

  const found = jsonOf(await client.callTool({ name: "retrieve_tools", arguments: { query: "commit repository" } }));

  const variants = Object.fromEntries(found.tools.map((e: Entry) => [e.name, e.call_with]));
  assert.deepEqual(variants, {
    "git:log": "call_tool_read",
    "git:commit": "call_tool_write",
    "git:drop": "call_tool_destructive",
    "git:bare": "call_tool_read",
  });
  const log = found.tools.find((e: Entry) => e.name === "git:log");
  assert.deepEqual(Object.keys(log).sort(), [
    "annotations",
    "call_with",
    "description",
    "inputSchema",
    "name",
    "score",
    "server",
  ]);
  assert.deepEqual(log.inputSchema, schema);
  assert.equal(found.query, "commit repository");
  assert.equal(found.total, 4);
});

verifies(
  [
    "mcp.retrieve.compact",
    "mcp.retrieve.hint",
    "mcp.retrieve.sig",
    "mcp.retrieve.same-ranking",
    "mcp.retrieve.detail-overrides",
  ],
  "compact entries are one line each in the same order, under one hint",
  async (t) => {
    const { app, client } = await serve(t, SERVERS);
    const mcp = await client();
    const ask = async (detail?: string) =>
      jsonOf(
        await mcp.callTool({ name: "retrieve_tools", arguments: { query: "commits", ...(detail && { detail }) } }),
      );
    const full = await ask();

    const compact = await ask("compact");

    assert.equal(typeof compact.hint, "string");
    assert.equal(full.hint, undefined);
    assert.deepEqual(
      compact.tools.map((e: Entry) => e.id),
      full.tools.map((e: Entry) => e.name),
    );
    const { score, ...log } = compact.tools.find((e: Entry) => e.id === "git:log");
    assert.equal(typeof score, "number");
    assert.deepEqual(log, {
      id: "git:log",
      sig: "(path*:str, depth:int=3, filter~:obj)",
      desc: "Lists commits of a repository.",
      lossy: true,
    });
    await app.config.update((draft) => {
      draft.tool_response_mode = "compact";
    }, "test");
    assert.deepEqual(await ask(), compact);
    assert.deepEqual(await ask("full"), full);
  },
);

test("code mode answers schemas whatever the configured form, since its scripts need them", async (t) => {
  const { client } = await serve(t, { ...SERVERS, config: { tool_response_mode: "compact" } });
  const mcp = await client("/mcp/code");
  const found = jsonOf(await mcp.callTool({ name: "retrieve_tools", arguments: { query: "commits" } }));
  assert.ok(found.tools[0].inputSchema);
});

test("what is left out is counted by reason, said what to do about, and never named", async (t) => {
  const client = await (await serve(t, SERVERS)).client();

  const answer = await client.callTool({
    name: "retrieve_tools",
    arguments: { query: "commits", exclude_destructive: true },
  });

  const found = jsonOf(answer);
  assert.deepEqual(
    found.tools.map((e: Entry) => e.name),
    ["git:commit"],
  );
  assert.deepEqual(found.withheld, { quarantined: 1, pending_approval: 1, changed: 1, filtered: 3 });
  assert.match(found.notice, /person/);
  for (const secret of ["PURPLE", "far:", "git:new", "git:moved"]) assert.ok(!textOf(answer).includes(secret), secret);
});

test("blocked and denied tools are named when asked for, with why, and quarantined ones are not", async (t) => {
  const { app, client } = await serve(t, SERVERS);
  await app.config.update((draft) => {
    draft.mcpServers[0]!.disabled_tools = ["log"];
  }, "test");
  const mcp = await client();
  const ask = async (args: object) =>
    jsonOf(await mcp.callTool({ name: "retrieve_tools", arguments: { query: "commits", ...args } }));

  const found = await ask({ include_disabled: true });

  assert.deepEqual(found.disabled, [{ name: "git:log", server: "git", status: "tool_denied_by_config" }]);
  assert.equal((await ask({})).disabled, undefined);
  assert.equal((await ask({})).withheld.disabled, 1);
});

verifies(
  "mcp.retrieve.input",
  "the limit is 15 unless configured or asked for, and wrong input names its field",
  async (t) => {
    const names = Array.from({ length: 120 }, (_, i) => `big:commit_${i}`);
    const tools = Object.fromEntries(names.map((id) => [id, "approved" as const]));
    const { app, client } = await serve(t, { servers: [{ name: "big", command: "x" }], tools });
    const mcp = await client();
    const ask = (args: object) => mcp.callTool({ name: "retrieve_tools", arguments: args as Record<string, unknown> });
    const count = async (args: object) => jsonOf(await ask({ query: "commit", ...args })).tools.length;

    assert.equal(await count({}), 15);
    assert.equal(await count({ limit: 40 }), 40);
    assert.equal(await count({ limit: 1000 }), 100);
    await app.config.update((draft) => {
      draft.tools_limit = 3;
    }, "test");
    assert.equal(await count({}), 3);

    const rows: [object, RegExp][] = [
      [{}, /query/],
      [{ query: 7 }, /query/],
      [{ query: "  " }, /query: must not be empty/],
      [{ query: "x".repeat(3000) }, /query: must have at most 2000/],
      [{ query: "x", limit: 0 }, /limit: must be at least 1/],
      [{ query: "x", limit: "many" }, /limit/],
      [{ query: "x", limit: 1.5 }, /limit: must be a whole number/],
      [{ query: "x", surprise: 1 }, /unknown parameter "surprise"; allowed: query, limit, /],
      [{ query: "x", includ_disabled: true }, /did you mean include_disabled\?/],
      [{ query: "x", detail: "tiny" }, /detail/],
      [{ query: "x", read_only_only: "yes" }, /read_only_only/],
    ];
    for (const [args, text] of rows) {
      const answer = await ask(args);
      assert.equal(answer.isError, true, JSON.stringify(args));
      assert.match(textOf(answer), text);
    }
  },
);
