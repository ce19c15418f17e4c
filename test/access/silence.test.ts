import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { endpoints } from "#handlers/routes.gen.ts";
import { recordActivity } from "#lib/core/gateway/record-activity.ts";
import { FULL_SCOPE } from "#lib/core/schema/caller.ts";
import { send, storeScript, type Tier } from "#test/kit/access.ts";
import { listenTest, type TestApp, testApp } from "#test/kit/app.ts";
import { program, ready, toolCall } from "#test/kit/mcp.ts";
import { issue } from "#test/kit/token.ts";
import { verifies } from "#test/kit/verifies.ts";

/**
 * What a token may not see cannot be told from what does not exist. Each question is asked about a server or tool out
 * of scope and about one that nobody has; with the names exchanged, the answers are the same bytes. The names are of one
 * length and equally far from what the token may see.
 */
const HIDDEN = "bravo";
const ABSENT = "brevo";

let app: TestApp;
let close: () => Promise<void>;
let token: Tier;
let anybody: Tier;

before(async () => {
  app = await testApp({
    servers: [
      program("alpha"),
      program(HIDDEN),
      { ...program("quiet"), quarantined: true },
      { ...program("still"), enabled: false },
    ],
    config: {
      direct_tool_response_mode: "deferred",
      profiles: [
        { name: "front", servers: ["alpha"] },
        { name: HIDDEN, servers: [HIDDEN] },
      ],
    },
  });
  close = (await listenTest(app)).close;
  for (const server of ["alpha", HIDDEN]) await ready(app, server);
  await app.catalog.indexed;
  storeScript(app, HIDDEN, "1");
  const permissions = ["read", "write", "destructive"] as const;
  const headers = { "x-api-key": await issue(app, { allowed_servers: ["alpha"], permissions: [...permissions] }) };
  token = { name: "scoped", headers, listener: "tcp" };
  anybody = { name: "nobody", headers: {}, listener: "tcp" };
});
after(async () => {
  await close();
  await app.close();
});

/** Times and ids differ from one request to the next, and the name itself is what was asked. */
function bytes({ status, text }: { status: number; text: string }, name: string): string {
  const same = text
    .replaceAll(name, "<name>")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>");
  return `${status} ${same}`;
}

type Question = (name: string) => [route: string, body?: object, headers?: Record<string, string>];

const QUESTIONS: Record<string, Question> = {
  "search for its name": (n) => ["POST /mcp/call", toolCall("retrieve_tools", { query: n })],
  "search for its tools": (n) => [
    "POST /mcp/call",
    toolCall("retrieve_tools", { query: `${n} echo`, include_disabled: true }),
  ],
  "search in code mode": (n) => ["POST /mcp/code", toolCall("retrieve_tools", { query: `${n}:echo` })],
  describe: (n) => ["POST /mcp/call", toolCall("describe_tool", { ids: [`${n}:echo`, `${n}:nope`, `${n}:`] })],
  "describe beside a known one": (n) => [
    "POST /mcp/call",
    toolCall("describe_tool", { ids: ["alpha:echo", `${n}:echo`] }),
  ],
  check: (n) => ["POST /mcp/call", toolCall("describe_tool", { check: true, ids: [`${n}:echo`, `${n}:nope`, n] })],
  "check with filters": (n) => [
    "POST /mcp/call",
    toolCall("describe_tool", { check: true, ids: [`${n}:echo`], filters: { read_only_only: true } }),
  ],
  "call to read": (n) => ["POST /mcp/call", called("call_tool_read", `${n}:echo`)],
  "call to read what destroys": (n) => ["POST /mcp/call", called("call_tool_read", `${n}:delete_note`)],
  "call to destroy": (n) => ["POST /mcp/call", called("call_tool_destructive", `${n}:delete_note`)],
  "direct call": (n) => ["POST /mcp/all", toolCall(`${n}__echo`)],
  "direct call by id": (n) => ["POST /mcp/all", toolCall(`${n}:echo`)],
  "direct describe": (n) => ["POST /mcp/all", toolCall("describe_tool", { ids: [`${n}__echo`] })],
  "call in a script": (n) => ["POST /mcp/code", code(`JSON.stringify(call_tool("${n}", "echo", {}))`)],
  "calls in a script": (n) => [
    "POST /mcp/code",
    code(`JSON.stringify(call_tools([{ server: "${n}", tool: "echo", args: {} }]))`),
  ],
  "script for one server": (n) => [
    "POST /mcp/code",
    toolCall("code_execution", { code: "1", options: { allowed_servers: [n] } }),
  ],
  "script by name": (n) => ["POST /mcp/code", toolCall("code_execution", { script: `no-${n}` })],
  "its log over MCP": (n) => ["POST /mcp/call", toolCall("upstream_servers", { operation: "tail_log", name: n })],
  "remove it over MCP": (n) => ["POST /mcp/call", toolCall("upstream_servers", { operation: "remove", name: n })],
  "add it over MCP": (n) => [
    "POST /mcp/call",
    toolCall("upstream_servers", { operation: "add", name: n, command: "true" }),
  ],
  "its profile": (n) => ["POST /mcp/p/{n}".replace("{n}", n), toolCall("retrieve_tools", { query: "echo" })],
  "its profile by header": (n) => ["POST /mcp", toolCall("retrieve_tools", { query: "echo" }), { "x-mcp-profile": n }],
  "REST search": (n) => [`GET /api/v1/index/search?q=${n}+echo`],
  "REST tools of it": (n) => [`GET /api/v1/tools?server=${n}`],
  "REST its tools": (n) => [`GET /api/v1/servers/${n}/tools`],
  "REST export": (n) => [`GET /api/v1/servers/${n}/tools/export`],
  "REST diff": (n) => [`GET /api/v1/servers/${n}/tools/echo/diff`],
  "REST log": (n) => [`GET /api/v1/servers/${n}/logs`],
  "REST call": (n) => ["POST /api/v1/tools/call", { tool_name: `${n}:echo` }],
  "REST script": (n) => ["POST /api/v1/code/exec", { code: `JSON.stringify(call_tool("${n}", "echo", {}))` }],
  "REST check": (n) => ["POST /api/v1/preflight", { tools: [{ id: `${n}:echo` }] }],
  "REST check in its profile": (n) => ["POST /api/v1/preflight", { tools: [{ id: "alpha:echo" }], profile: n }],
  "REST activity": (n) => [`GET /api/v1/activity?server=${n}`],
  "REST delete": (n) => [`DELETE /api/v1/servers/${n}`],
  "REST restart": (n) => [`POST /api/v1/servers/${n}/restart`],
};

/** An endless answer, and pages that are the same for everybody. */
const UNASKED: readonly string[] = ["GET /events", "GET /docs", "GET /docs/spec.yaml", "GET /docs/spec.json"];

const called = (variant: string, name: string) =>
  toolCall(variant, { name, intent: { operation_type: variant.slice("call_tool_".length) } });
const code = (source: string) => toolCall("code_execution", { code: source });

for (const [what, question] of Object.entries(QUESTIONS))
  verifies(
    ["rest.auth.token-scope", "rest.preflight.agent-silence"],
    `a token cannot tell what is out of its scope from what does not exist: ${what}`,
    async () => {
      const answers: string[] = [];
      for (const name of [HIDDEN, ABSENT]) {
        const [route, body, headers] = question(name);
        answers.push(bytes(await send(app, token, route, body, headers), name));
      }
      assert.equal(answers[0], answers[1]);
    },
  );

test("the same questions tell the two apart for somebody who may see both", async () => {
  for (const what of ["search for its tools", "describe", "check", "call to read", "direct call", "call in a script"]) {
    const [hidden, absent] = await Promise.all(
      [HIDDEN, ABSENT].map(async (name) => {
        const [route, body] = QUESTIONS[what]!(name);
        return bytes(await send(app, anybody, route, body), name);
      }),
    );
    assert.notEqual(hidden, absent, what);
  }
});

verifies(
  "rest.preflight.agent-silence",
  "whether it is quarantined, switched off or fine, a server out of scope gives one answer",
  async () => {
    for (const what of [
      "describe",
      "check",
      "call to read",
      "direct call",
      "call in a script",
      "REST log",
      "REST call",
    ]) {
      const answers = new Set<string>();
      for (const name of ["bravo", "quiet", "still", "never"]) {
        const [route, body] = QUESTIONS[what]!(name);
        answers.add(bytes(await send(app, token, route, body), name));
      }
      assert.equal(answers.size, 1, [...answers].join("\n"));
    }
  },
);

test("nothing a token may list names a server out of its scope", async () => {
  const by = {
    caller: { tier: "admin" as const, name: "admin", listener: "tcp" as const, scope: FULL_SCOPE },
    origin: { source: "api" as const, requestId: "r-1" },
  };
  await recordActivity(app, by, {
    type: "preflight",
    status: "success",
    metadata: { per_tool: [{ id: `${HIDDEN}:echo`, reason: "ready" }] },
  }).durable;
  await recordActivity(app, by, { type: "tool_call", status: "success", server_name: HIDDEN, tool_name: "echo" })
    .durable;
  // Another than the one who asked for it by name above, and so has it in records of its own.
  const onlooker: Tier = {
    name: "onlooker",
    headers: { "x-api-key": await issue(app, { name: "onlooker", allowed_servers: ["alpha"] }) },
    listener: "tcp",
  };
  const reading = endpoints.filter(
    (e) => e.method === "GET" && e.spec.access !== "admin" && !UNASKED.includes(e.route),
  );
  assert.ok(reading.length > 10);
  for (const { route } of reading) {
    const query = route.endsWith("/search") ? "?q=echo+note" : "";
    const { text } = await send(app, onlooker, route.replace("{name}", "alpha").replace("{tool}", "echo") + query);
    assert.ok(!text.includes(HIDDEN), `${route} names ${HIDDEN}: ${text.slice(0, 2000)}`);
  }
  for (const path of ["/mcp", "/mcp/all", "/mcp/code", "/mcp/p/front"]) {
    const { text } = await send(app, onlooker, `POST ${path}`, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    assert.ok(!text.includes(HIDDEN), path);
  }
});

verifies(
  ["rest.events.scoped-drop", "rest.auth.token-scope"],
  "what happens on a server out of scope is not told on the event stream",
  async () => {
    const headers = { "x-api-key": await issue(app, { name: "listener", allowed_servers: ["alpha"] }) };
    const leave = new AbortController();
    const stream = await fetch(`http://${app.boot.listenAddr}/events`, { headers, signal: leave.signal });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const name of [HIDDEN, ABSENT, "alpha"])
      await send(app, anybody, "POST /mcp/call", called("call_tool_read", `${name}:echo`));
    let told = "";
    while (!told.includes("activity.tool_call.completed")) told += (await reader.read()).value ?? "";
    leave.abort();
    assert.match(told, /alpha/);
    assert.ok(!told.includes(HIDDEN), told);
  },
);
