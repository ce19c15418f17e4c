import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Progress } from "#lib/core/schema/mcp.ts";
import { createParamHeaders, encodeHeaderValue } from "#lib/core/upstream/protocol/param-headers.ts";
import type { Upstream } from "#lib/core/upstream/upstreams.ts";
import {
  callTool,
  type Listening,
  startProgram,
  stdioServer,
  type TestUpstreams,
  testUpstreams,
  textOf,
  until,
} from "#test/kit/upstream.ts";

const KINDS = ["stdio", "http", "http-sse"] as const;
let programs: Listening[];
let all: TestUpstreams;

before(async () => {
  programs = await Promise.all([
    startProgram("upstream-http.mjs", "--era", "modern"),
    startProgram("upstream-http.mjs", "--era", "modern", "--response", "sse"),
  ]);
  all = testUpstreams({
    servers: [
      stdioServer("stdio", "--era", "modern"),
      { name: "http", url: programs[0]!.url },
      { name: "http-sse", url: programs[1]!.url },
    ],
  });
  await until("listed", () => KINDS.every((k) => all.accepted.has(k)));
});
after(async () => {
  await all.close();
  await Promise.all(programs.map((p) => p.kill()));
});

function everywhere(title: string, body: (upstream: Upstream) => Promise<void>) {
  for (const kind of KINDS) test(`2026-07-28: ${title}: ${kind}`, () => body(all.upstream(kind)));
}

everywhere("a server that knows no initialize is asked who it is in the newer way", async (upstream) => {
  const status = upstream.status();

  assert.equal(status.protocolVersion, "2026-07-28");
  assert.equal(status.serverInfo?.version, "1.0.0");
  assert.equal(status.instructions, "Upstream for tests.");
  assert.equal(all.accepted.get(upstream.name)?.length, 19);
});

everywhere("calls, errors and progress work", async (upstream) => {
  const seen: Progress[] = [];
  const reply = await upstream.request(
    "tools/call",
    { name: "progress", arguments: { steps: 2, ms: 1 }, _meta: { own: 1 } },
    { timeoutMs: 60_000, onProgress: (p) => seen.push(p) },
  );

  assert.equal(textOf(reply), "done 2");
  assert.deepEqual(
    seen.map((p) => p.progress),
    [1, 2],
  );
  assert.equal(textOf(await callTool(upstream, "echo", { a: "größe" })), '{"a":"größe"}');
  await assert.rejects(callTool(upstream, "rpc_error"), { name: "RpcError", code: -32099 });
  await assert.rejects(callTool(upstream, "größe"), { name: "RpcError", code: -32602 });
});

everywhere("a change is heard through the subscription", async (upstream) => {
  await callTool(upstream, "add_tool", { name: "fresh", description: "New." });

  await until("the new tool", () => all.accepted.get(upstream.name)?.some((t) => t.name === "fresh"));
});

everywhere("a caller's abort reaches the upstream", async (upstream) => {
  const count = async () => (JSON.parse(textOf(await callTool(upstream, "stats"))) as { cancelled: number }).cancelled;
  const before = await count();

  await assert.rejects(callTool(upstream, "slow", { ms: 60_000 }, 60), { code: "call_timeout" });

  await until("the upstream heard of it", async () => (await count()) === before + 1);
});

everywhere("a question to a person is a clear failure", async (upstream) => {
  await assert.rejects(callTool(upstream, "ask"), {
    code: "upstream_failed",
    message: /asks for input, and this caller cannot be asked/,
  });
});

test("2026-07-28: arguments that a tool wants in headers are repeated there", async () => {
  const http = all.upstream("http");
  const inputSchema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      deep: { type: "object", properties: { n: { type: "integer", "x-mcp-header": "N" } } },
    },
  };
  await callTool(http, "add_tool", { name: "routed", inputSchema });
  await until("the new tool", () => all.accepted.get("http")?.some((t) => t.name === "routed"));

  await callTool(http, "routed", { region: "zürich", deep: { n: 7 } });

  const text = await (await fetch(new URL("/requests", programs[0]!.url))).text();
  const seen = text.split("\n").map((line) => JSON.parse(line) as { headers: Record<string, string> });
  const { headers } = seen.findLast((s) => s.headers["mcp-name"] === "routed")!;
  assert.equal(headers["mcp-param-region"], "=?base64?esO8cmljaA==?=");
  assert.equal(headers["mcp-param-n"], "7");
  assert.equal(headers["mcp-method"], "tools/call");
  assert.equal(headers["mcp-session-id"], undefined);
});

test("a server of both protocol versions is spoken to in the newer one", async () => {
  const program = await startProgram("upstream-http.mjs", "--era", "both");
  const both = testUpstreams({ servers: [{ name: "http", url: program.url }, stdioServer("stdio", "--era", "both")] });
  await until("ready", () => ["http", "stdio"].every((n) => both.upstream(n).status().state === "Ready"));

  for (const name of ["http", "stdio"]) assert.equal(both.upstream(name).status().protocolVersion, "2026-07-28");

  await both.close();
  await program.kill();
});

test("header values that would not survive are wrapped", () => {
  const rows: [string, string][] = [
    ["plain", "plain"],
    ["two words", "two words"],
    [" edge", "=?base64?IGVkZ2U=?="],
    ["", "=?base64??="],
    ["a\nb", "=?base64?YQpi?="],
    ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
  ];
  for (const [text, header] of rows) assert.equal(encodeHeaderValue(text), header, JSON.stringify(text));
});

test("only plain values of properly declared properties become headers", () => {
  const headers = createParamHeaders();
  const properties = {
    a: { type: "string", "x-mcp-header": "A" },
    b: { type: "boolean", "x-mcp-header": "B" },
    c: { type: "object", "x-mcp-header": "C" },
    d: { type: "string", "x-mcp-header": "bad name" },
    e: { type: "integer", "x-mcp-header": "E" },
    f: { type: "array", items: { type: "string", "x-mcp-header": "F" } },
  };
  headers.learn([{ name: "t", inputSchema: { type: "object", "x-mcp-header": "Root", properties } }]);
  const args = { a: null, b: false, c: {}, d: "x", e: 2 ** 60, f: ["x"], __proto__: { a: "inherited" } };

  assert.deepEqual(headers.of({ name: "t", arguments: args }), { "mcp-param-b": "false" });
  assert.deepEqual(headers.of({ name: "other", arguments: args }), {});
});
