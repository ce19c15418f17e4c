import assert from "node:assert/strict";
import { test } from "node:test";
import { requestId } from "#lib/core/base/id.ts";
import { callUpstreamTool as callTool } from "#lib/core/gateway/call.ts";
import { type Actor, FULL_SCOPE } from "#lib/core/schema/caller.ts";
import type { McpObject, Progress, RpcError } from "#lib/core/schema/mcp.ts";
import type { TestApp } from "#test/kit/app.ts";
import { ask, call } from "#test/kit/http.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const PAT = `ghp_${"aB3dE5gH7jK9".repeat(3)}`;
const SPLIT = `${PAT.slice(0, 9)}\u200b${PAT.slice(9)}`;
const TAKEN = "[REDACTED:api_token]";

const by = (): Actor => ({
  caller: { tier: "admin", name: "tester", listener: "internal", scope: FULL_SCOPE },
  origin: { source: "mcp", requestId: requestId(undefined) },
});
/** With the longest time to search unless a test sets another: on a busy machine, 2 s are not enough for megabytes. */
const ready = ({ sensitive_data_detection, ...config }: Record<string, unknown>) => ({
  servers: [program("up"), program("other")],
  connect: true,
  config: { ...config, sensitive_data_detection: { time_budget: "1m", ...(sensitive_data_detection as object) } },
});
const of = (app: TestApp, id: string, args: McpObject, more: object = {}) =>
  callTool(app, by(), { id, args, signal: new AbortController().signal, ...more });
const answer = (app: TestApp, result: object) => of(app, "up:raw", { json: escaped(result) });
/** The arguments do not hold what the answer does. */
const escaped = (value: object) => JSON.stringify(value).replaceAll("ghp_", "\\u0067hp_");

/** Each is an answer that holds the secret in its own way. */
const ANSWERS: readonly (readonly [how: string, result: object])[] = [
  ["a text", { content: [{ type: "text", text: `is ${PAT}` }] }],
  ["a text with an invisible character inside", { content: [{ type: "text", text: `is ${SPLIT}` }] }],
  ["an embedded resource", { content: [{ type: "resource", resource: { uri: "x://y", text: PAT } }] }],
  ["a blob", { content: [{ type: "resource", resource: { uri: "x://y", blob: btoa(`is ${PAT}`) } }] }],
  ["a link", { content: [{ type: "resource_link", uri: `x://y/${PAT}`, name: PAT, title: PAT, description: PAT }] }],
  ["structured content", { content: [], structuredContent: { deep: [{ value: PAT }] } }],
  ["a name in structured content", { content: [], structuredContent: { [PAT]: 1 } }],
  ["_meta", { content: [], _meta: { "x/y": PAT } }],
  ["an error of the tool", { isError: true, content: [{ type: "text", text: PAT }] }],
  [
    "two texts",
    {
      content: [
        { type: "text", text: PAT.slice(0, 20) },
        { type: "text", text: PAT.slice(20) },
      ],
    },
  ],
  ["base64", { content: [{ type: "text", text: `is ${btoa(PAT)}` }] }],
  ["behind a megabyte", { content: [{ type: "text", text: `${"plain words ".repeat(100_000)}${PAT}` }] }],
  ["behind many samples", { content: [{ type: "text", text: `${"AKIAIOSFODNN7EXAMPLE ".repeat(80)}${PAT}` }] }],
];
const holds = (text: string) => text.includes(PAT) || text.includes(PAT.slice(20)) || text.includes(btoa(PAT));

test("a secret is taken out of every text of an answer, however it stands there", async (t) => {
  const { app } = await serve(t, ready({ output_sanitisation: { response_action: "redact" } }));
  for (const [how, result] of ANSWERS) {
    const { raw } = await answer(app, result);
    assert.ok(!holds(raw) && (raw.includes("REDACTED") || how === "a blob"), `${how}: ${raw.slice(0, 300)}`);
    assert.equal(how === "a blob" && raw.includes(btoa(`is ${TAKEN}`)), how === "a blob", how);
  }
});

test("an answer is withheld for a secret in any of its texts, however it stands there", async (t) => {
  const { app } = await serve(t, ready({ output_sanitisation: { response_action: "block" } }));
  for (const [how, result] of ANSWERS) await assert.rejects(answer(app, result), { code: "output_blocked" }, how);
  await answer(app, { content: [{ type: "text", text: "plain ".repeat(300_000) }] });
});

test("a JSON-RPC error and progress are treated as results are, by MCP, REST and scripts", async (t) => {
  const { app, post } = await serve(
    t,
    ready({ output_sanitisation: { response_action: "redact", strip_control_chars: true, spotlight_untrusted: true } }),
  );
  const args = { message: `no \u001b[31m${SPLIT}`, data: { [PAT]: `\u202e${PAT}` } };
  const progress: Progress[] = [];

  await assert.rejects(of(app, "up:rpc_error", args), (error: RpcError) => {
    assert.match(error.message, /^\[output of up:rpc_error, untrusted .*\]\nno \[REDACTED:api_token\]\n\[end of/);
    assert.deepEqual(error.data, { [TAKEN]: TAKEN });
    return error.code === -32099;
  });
  await of(app, "up:progress", { message: `\u202e${SPLIT}` }, { onProgress: (one: Progress) => progress.push(one) });
  const others = [
    (await post(toolCall("up__rpc_error", args), { path: "/mcp/all" })).text,
    JSON.stringify(
      (await ask(app, "POST /api/v1/tools/call", { body: { tool_name: "up:rpc_error", arguments: args } })).body,
    ),
    JSON.stringify(
      (await ask(app, "POST /api/v1/code/exec", { body: { code: `call_tool("up", "rpc_error", input)`, input: args } }))
        .body,
    ),
  ];

  assert.deepEqual(progress[0], { progress: 1, total: 3, message: TAKEN });
  for (const text of others) assert.ok(text.includes(TAKEN) && !holds(text), text);
});

test("an error with a secret is withheld, and progress goes on without its message", async (t) => {
  const { app } = await serve(t, ready({ output_sanitisation: { response_action: "block" } }));
  const progress: Progress[] = [];
  await assert.rejects(of(app, "up:rpc_error", { message: PAT }), { code: "output_blocked" });
  await assert.rejects(of(app, "up:rpc_error", { data: [PAT] }), { code: "output_blocked" });
  await of(app, "up:progress", { message: PAT }, { onProgress: (one: Progress) => progress.push(one) });
  assert.deepEqual(progress[0], { progress: 1, total: 3 });
});

test("only the operator names servers that are trusted: what a server says of its tools changes nothing", async (t) => {
  const { app } = await serve(
    t,
    ready({
      output_sanitisation: { spotlight_untrusted: true, strip_control_chars: true, trusted_servers: ["other"] },
    }),
  );
  await of(app, "up:add_tool", { name: "calm", annotations: { openWorldHint: false } });
  await until("its tool", () => app.catalog.get("up:calm")?.annotations?.openWorldHint === false);

  const calm = (await of(app, "up:calm", { a: "\u200b" })).raw;
  const trusted = (await of(app, "other:echo", { a: "\u200b" })).raw;

  assert.match(calm, /untrusted/);
  assert.ok(!calm.includes("\u200b"));
  assert.ok(trusted.includes("\u200b") && !trusted.includes("untrusted"));
});

test("what cannot be searched to its end within the budget is refused or withheld, and the text says what to do", async (t) => {
  const long = "aB3dE5gH7jK9 api_key: x ".repeat(150_000);
  const { app } = await serve(
    t,
    ready({
      sensitive_data_detection: { block_requests: "high", time_budget: "50ms" },
      output_sanitisation: { response_action: "block" },
    }),
  );
  await assert.rejects(of(app, "up:echo", { long }), {
    code: "arguments_unscanned",
    message: /not called.*longer than 50ms.*time_budget/,
  });
  await assert.rejects(of(app, "up:big", { kb: 30_000 }), {
    code: "output_unscanned",
    message: /withheld.*longer than 50ms/,
  });
  await until("the records", async () => (await call(app, "GET /api/v1/activity", {})).total === 2);
  assert.equal((await call(app, "GET /api/v1/activity", { query: { status: "blocked" } })).total, 2);
});

test("arguments that are refused are known in other readings, and so is what stands in _meta", async (t) => {
  const { app } = await serve(t, ready({ sensitive_data_detection: { block_requests: "high" } }));
  const wide = [...PAT].map((c) => (c === "_" ? c : String.fromCharCode(c.charCodeAt(0) + 0xfee0))).join("");
  for (const note of [
    SPLIT,
    wide,
    btoa(PAT),
    btoa(btoa(`my ${PAT}`)),
    Buffer.from(PAT).toString("hex"),
    encodeURIComponent(`a ${PAT}`).replaceAll("h", "%68"),
    Buffer.from(PAT, "utf16le").toString("base64"),
    btoa("cat /home/me/.ssh/id_rsa"),
    `${"plain words ".repeat(100_000)}${PAT}`,
  ])
    await assert.rejects(of(app, "up:echo", { note }), { code: "sensitive_arguments" }, note.slice(0, 80));
  await assert.rejects(of(app, "up:echo", {}, { meta: { "x/y": PAT } }), { code: "sensitive_arguments" });
  await of(app, "up:echo", { note: btoa("nothing of interest stands here") }, { meta: { traceparent: "00-ab-cd-01" } });
});
