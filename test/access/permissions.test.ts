import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Permission } from "#lib/core/schema/caller.ts";
import { send, type Tier } from "#test/kit/access.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { program, ready, toolCall } from "#test/kit/mcp.ts";
import { ANNOTATIONS, CALL_VARIANTS, PERMISSION_SETS } from "#test/kit/permissions.ts";
import { putToken } from "#test/kit/store.ts";
import { issue } from "#test/kit/token.ts";

/** What each tool takes, written by hand: MCP's defaults are not read-only and destructive. */
const TAKES: Readonly<Record<string, readonly Permission[]>> = {
  absent: ["write", "destructive"],
  read_unsaid_destroy_unsaid: ["write", "destructive"],
  read_unsaid_destroy_true: ["destructive"],
  read_unsaid_destroy_false: ["write"],
  read_true_destroy_unsaid: ["read"],
  read_true_destroy_true: ["destructive"],
  read_true_destroy_false: ["read"],
  read_false_destroy_unsaid: ["write", "destructive"],
  read_false_destroy_true: ["destructive"],
  read_false_destroy_false: ["write"],
};
const TOOLS = Object.keys(TAKES);

let app: TestApp;
let folder: string;
let closeListener: () => Promise<void>;
/** A token for each set of permissions, with the set. */
const tokens: { tier: Tier; has: readonly Permission[] }[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "proxy-permissions-"));
  const file = join(folder, "tools.json");
  const listed = Object.entries(ANNOTATIONS).map(([name, annotations]) => ({
    name,
    description: "A zebra.",
    inputSchema: { type: "object" },
    ...(annotations && { annotations }),
  }));
  writeFileSync(file, JSON.stringify(listed));
  app = await testApp({
    connect: true,
    servers: [program("zoo", "--tools-file", file)],
    config: { enable_code_execution: true },
  });
  closeListener = (await listenTest(app)).close;
  await ready(app, "zoo");
  for (const has of PERMISSION_SETS) {
    const name = `may_${has.join("_") || "nothing"}`;
    const token = await issue(app, { name });
    await putToken(app.store.tokens, { ...app.store.tokens.get(name)!, permissions: [...has] });
    tokens.push({ tier: { name, headers: { "x-api-key": token }, listener: "tcp" }, has });
  }
});
after(async () => {
  await closeListener();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const has = (set: readonly Permission[], ...wanted: readonly Permission[]) => wanted.every((p) => set.includes(p));

/** Asks for every token about every tool, and compares with what the table above says. */
async function holds(answers: (tier: Tier) => Promise<Readonly<Record<string, string>>>) {
  for (const { tier, has: set } of tokens) {
    const got = await answers(tier);
    for (const tool of TOOLS)
      assert.equal(got[tool], has(set, ...TAKES[tool]!) ? "ok" : "permission_denied", `${tier.name}: ${tool}`);
  }
}

/** One question for each tool. */
const each = (one: (tier: Tier, tool: string) => Promise<string>) => async (tier: Tier) => {
  const found: Record<string, string> = {};
  for (const tool of TOOLS) found[tool] = await one(tier, tool);
  return found;
};

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
const parse = (text: string): any => JSON.parse(text);
const outcome = (text: string): string => {
  const { result, error } = parse(text);
  if (error) return `${error.code} ${error.message}`;
  return result._meta?.["proxy/code"] ?? (result.isError ? "error" : "ok");
};
const mcp = async (tier: Tier, path: string, name: string, args: object) =>
  (await send(app, tier, `POST ${path}`, toolCall(name, args))).text;
const inside = (text: string) => parse(parse(text).result.content[0].text);
const intent = (variant: string) => ({ operation_type: variant.slice("call_tool_".length) });

test("the table covers every combination of annotations and every set of permissions", () => {
  assert.deepEqual(new Set(TOOLS), new Set(Object.keys(ANNOTATIONS)));
  assert.equal(TOOLS.length, 10);
  assert.equal(new Set(PERMISSION_SETS.map((set) => set.join())).size, 8);
});

test("REST refuses a call whose permissions the token lacks, and no other", () =>
  holds(
    each(async (tier, tool) => {
      const { status, text } = await send(app, tier, "POST /api/v1/tools/call", { tool_name: `zoo:${tool}` });
      return status === 200 ? "ok" : parse(text).code;
    }),
  ));

test("direct mode refuses a call whose permissions the token lacks, and no other", () =>
  holds(each(async (tier, tool) => outcome(await mcp(tier, "/mcp/all", `zoo__${tool}`, {})))));

test("direct mode lists the tools that the token may call, and no other", () =>
  holds(async (tier) => {
    const { text } = await send(app, tier, "POST /mcp/all", { jsonrpc: "2.0", id: 1, method: "tools/list" });
    const listed = new Set(parse(text).result.tools.map((tool: { name: string }) => tool.name));
    return Object.fromEntries(TOOLS.map((tool) => [tool, listed.has(`zoo__${tool}`) ? "ok" : "permission_denied"]));
  }));

test("a script is refused a call whose permissions the token lacks, and no other", () =>
  holds(async (tier) => {
    const code = `JSON.stringify(${JSON.stringify(TOOLS)}.map((tool) => call_tool("zoo", tool, {})))`;
    const slots = parse(inside(await mcp(tier, "/mcp/code", "code_execution", { code })).value);
    return Object.fromEntries(
      TOOLS.map((tool, i) => [tool, slots[i].ok ? "ok" : String(slots[i].error.code).toLowerCase()]),
    );
  }));

test("a call variant adds its own permission to the tool's, and a mild one replaces none", async () => {
  for (const { tier, has: set } of tokens)
    for (const tool of TOOLS)
      for (const variant of CALL_VARIANTS) {
        const args = { name: `zoo:${tool}`, args_json: "{}", intent: intent(variant) };
        const own = intent(variant).operation_type as Permission;
        const mild = variant !== "call_tool_destructive" && ANNOTATIONS[tool]?.destructiveHint === true;
        const permitted = mild ? "destructive_mismatch" : "ok";
        const expected = has(set, own, ...TAKES[tool]!) ? permitted : "permission_denied";
        assert.equal(
          outcome(await mcp(tier, "/mcp/call", variant, args)),
          expected,
          `${tier.name}: ${variant} ${tool}`,
        );
      }
});

test("retrieve_tools shows what the token may call, counts the rest, and names a variant that succeeds", async () => {
  for (const { tier, has: set } of tokens) {
    const { tools, withheld } = inside(
      await mcp(tier, "/mcp/call", "retrieve_tools", { query: "zebra", detail: "full" }),
    );
    const shown = new Map<string, string>(tools.map((t: { name: string; call_with: string }) => [t.name, t.call_with]));
    const callable = TOOLS.filter((tool) => has(set, ...TAKES[tool]!));
    assert.deepEqual([...shown.keys()].sort(), callable.map((tool) => `zoo:${tool}`).sort(), tier.name);
    assert.equal(withheld?.permission_denied ?? 0, TOOLS.length - callable.length, tier.name);
    for (const [id, variant] of shown) {
      const answer = await mcp(tier, "/mcp/call", variant, { name: id, args_json: "{}", intent: intent(variant) });
      assert.equal(outcome(answer), "ok", `${tier.name}: ${variant} ${id}`);
    }
  }
});

test("REST search shows what the token may call and counts the rest", async () => {
  for (const { tier, has: set } of tokens) {
    const { data } = parse((await send(app, tier, "GET /api/v1/index/search?q=zebra&limit=50")).text);
    const callable = TOOLS.filter((tool) => has(set, ...TAKES[tool]!));
    const shown = data.results.map((r: { tool: { name: string } }) => r.tool.name);
    assert.deepEqual(shown.sort(), [...callable].sort(), tier.name);
    assert.equal(data.withheld?.permission_denied ?? 0, TOOLS.length - callable.length, tier.name);
    if (callable.length < TOOLS.length) assert.match(data.notice, /need a permission/);
  }
});

test("describe_tool gives definitions of the tools that the token may call, and no other", () =>
  holds(async (tier) => {
    const found: Record<string, string> = {};
    for (const ids of [TOOLS.slice(0, 5), TOOLS.slice(5)]) {
      const args = { ids: ids.map((tool) => `zoo:${tool}`) };
      const { definitions, errors } = inside(await mcp(tier, "/mcp/call", "describe_tool", args));
      for (const { name } of definitions) found[name.slice("zoo:".length)] = "ok";
      for (const { id, error } of errors ?? []) found[id.slice("zoo:".length)] = error;
    }
    return found;
  }));

const READINESS = { ready: "ok", unavailable: undefined } as const;
type Checked = { id: string; status: keyof typeof READINESS; reason?: string };
const readiness = (tools: readonly Checked[]) =>
  Object.fromEntries(tools.map((t) => [t.id.slice("zoo:".length), READINESS[t.status] ?? t.reason ?? ""]));

test("describe_tool with check says what a call would say", () =>
  holds(async (tier) => {
    const args = { ids: TOOLS.map((tool) => `zoo:${tool}`), check: true };
    return readiness(inside(await mcp(tier, "/mcp/call", "describe_tool", args)).results);
  }));

test("preflight says what a call would say", () =>
  holds(async (tier) => {
    const tools = TOOLS.map((tool) => ({ id: `zoo:${tool}` }));
    const { text } = await send(app, tier, "POST /api/v1/preflight", { tools });
    return readiness(parse(text).data.tools);
  }));
