import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { everybody, send, type Tier, WORLD } from "#test/kit/access.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { newer } from "#test/kit/era.ts";
import { ready, toolCall } from "#test/kit/mcp.ts";

/**
 * Who may see and call what does not depend on the protocol's era. Each question is asked by everybody in both, and the
 * answers are the same but for what the newer era adds to every result; so what the matrix and the silence of the older
 * one prove holds for both.
 */
const inputSchema = { type: "object" as const, properties: { region: { type: "string", "x-mcp-header": "Region" } } };

let app: TestApp;
let close: () => Promise<void>;
let tiers: Tier[];

before(async () => {
  const still = { name: "still", command: "x", quarantined: true };
  app = await testApp({ ...WORLD, servers: [...WORLD.servers!, still], tools: { "still:routed": { inputSchema } } });
  close = (await listenTest(app)).close;
  for (const server of ["alpha", "beta"]) await ready(app, server);
  await app.catalog.indexed;
  tiers = await everybody(app);
});
after(async () => {
  await close();
  await app.close();
});

const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list", params: {} };
const through = (variant: string, name: string) =>
  toolCall(variant, { name, intent: { operation_type: variant.slice("call_tool_".length) } });
const script = (server: string) =>
  toolCall("code_execution", { code: `JSON.stringify(call_tool("${server}", "echo", {}))` });

const QUESTIONS: [path: string, message: { method: string; params: { name?: unknown } }][] = [
  ...["/mcp", "/mcp/call", "/mcp/all", "/mcp/code", "/mcp/p/front", "/mcp/p/front/all", "/mcp/p/back/all"].map(
    (path): [string, typeof LIST] => [path, LIST],
  ),
  ...["alpha__echo", "beta__echo", "beta__delete_note", "gamma__echo", "still__routed", "nope"].flatMap(
    (name): [string, ReturnType<typeof toolCall>][] => [
      ["/mcp/all", toolCall(name)],
      ["/mcp/p/front/all", toolCall(name)],
    ],
  ),
  ...["alpha:echo", "beta:echo", "alpha:delete_note", "gamma:echo", "still:routed"].flatMap(
    (id): [string, ReturnType<typeof toolCall>][] => [
      ["/mcp/call", through("call_tool_read", id)],
      ["/mcp/p/front", through("call_tool_destructive", id)],
    ],
  ),
  ["/mcp/code", script("alpha")],
  ["/mcp/p/front/code", script("beta")],
  ["/mcp/call", toolCall("retrieve_tools", { query: "echo beta alpha still", include_disabled: true })],
  ["/mcp/call", toolCall("describe_tool", { ids: ["alpha:echo", "beta:echo", "gamma:echo", "still:routed"] })],
  ["/mcp/call", toolCall("upstream_servers", { operation: "list" })],
  ["/mcp/call", toolCall("upstream_servers", { operation: "remove", name: "gamma" })],
  ["/mcp/p/none", LIST],
];

const ADDED = ["resultType", "ttlMs", "cacheScope"];

/** An answer without what the newer era adds to it, and without what differs from one request to the next. */
function common({ status, text }: { status: number; text: string }): unknown {
  const body = JSON.parse(text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>"));
  const { result } = body;
  if (result) {
    for (const member of ADDED) delete result[member];
    if (result._meta) delete result._meta["io.modelcontextprotocol/serverInfo"];
    if (result._meta && Object.keys(result._meta).length === 0) delete result._meta;
    for (const block of result.content ?? [])
      if (typeof block.text === "string")
        block.text = block.text.replace(/"?(\w*_ms|\w*_at|last\w*|since|\w*duration\w*)"?:[^,}]+/g, "");
  }
  return { status, body };
}

for (const [path, message] of QUESTIONS)
  test(`both eras answer everybody alike: ${path} ${message.method} ${JSON.stringify(message.params)}`, async () => {
    for (const tier of tiers) {
      const { message: wrapped, headers } = newer(message.method, message.params as { name?: unknown });

      const older = await send(app, tier, `POST ${path}`, message);
      const later = await send(app, tier, `POST ${path}`, wrapped, headers as Record<string, string>);

      assert.deepEqual(common(later), common(older), tier.name);
    }
  });

test("a tool out of sight, and one that waits for approval, say nothing of the headers their schemas want", async () => {
  await send(app, tiers[0]!, "POST /mcp/all", toolCall("beta__add_tool", { name: "routed", inputSchema }));
  await app.upstreams.get("beta")!.discover("test");
  const admin = tiers.find(({ name }) => name === "admin")!;
  const scoped = tiers.find(({ name }) => name === "scoped")!;
  const call = async (tier: Tier, name: string) => {
    const { message, headers } = newer("tools/call", { name, arguments: { region: "eu" } });
    const { status, text } = await send(app, tier, "POST /mcp/all", message, headers as Record<string, string>);
    return { status, text: text.replaceAll(name, "<name>") };
  };

  assert.match((await call(admin, "beta__routed")).text, /-32020.*mcp-param-region is missing/);
  assert.deepEqual(await call(scoped, "beta__routed"), await call(scoped, "bela__routed"));
  assert.doesNotMatch((await call(admin, "still__routed")).text, /region/);
});
