import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, call } from "#test/kit/http.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const SECRET = "plum-Orchard-tangerine-77";
const MASK = "••••77 (25 chars)";

test("a secret that a server repeats is masked in its errors, progress, name and records, for every caller", async (t) => {
  const { app, post, client } = await serve(t, {
    servers: [{ ...program("up", "--repeat", "API_TOKEN"), env: { API_TOKEN: SECRET } }],
    connect: true,
  });
  const args = { message: `refused ${SECRET}`, data: { [SECRET]: [SECRET] } };
  const intent = { operation_type: "read" };
  const mcp = await client("/mcp/call");
  const progress: object[] = [];

  const anonymous = await post(toolCall("call_tool_read", { name: "up:rpc_error", args, intent }));
  const direct = await post(toolCall("up__rpc_error", args), { path: "/mcp/all" });
  const rest = await ask(app, "POST /api/v1/tools/call", { body: { tool_name: "up:rpc_error", arguments: args } });
  const script = await ask(app, "POST /api/v1/code/exec", {
    body: { code: `call_tool("up", "rpc_error", input).error.message`, input: args },
  });
  await mcp.callTool(
    { name: "call_tool_read", arguments: { name: "up:progress", args: { message: SECRET }, intent } },
    undefined,
    {
      onprogress: (one) => void progress.push(one),
    },
  );
  await call(app, "POST /api/v1/tools/call", { body: { tool_name: "up:echo", arguments: { note: SECRET } } });
  await until("the records", async () => (await call(app, "GET /api/v1/activity", {})).total >= 6);
  const records = (await app.store.activity.select({}, { limit: 50 })).records;

  assert.deepEqual(anonymous.body.error, {
    code: -32099,
    message: `refused ${MASK}`,
    data: { [MASK]: [MASK] },
  });
  assert.deepEqual(direct.body.error, anonymous.body.error);
  assert.match(JSON.stringify(rest.body), /refused ••••77/);
  assert.match(JSON.stringify(script.body), /refused ••••77/);
  assert.deepEqual(progress[0], { progress: 1, total: 3, message: MASK });
  assert.deepEqual(app.upstreams.get("up")?.status().serverInfo, { name: `up ${MASK}`, version: "1.0.0" });
  assert.ok(!JSON.stringify(app.upstreams.get("up")?.status()).includes(SECRET));
  for (const { response, error_message } of records) assert.ok(!`${response}${error_message}`.includes(SECRET));
});

test("an error too long to be read whole is cut for the caller and cut shorter in its record", async (t) => {
  const { app, post } = await serve(t, { servers: [program("up")], connect: true });

  const { body } = await post(toolCall("up__rpc_error", { size: 5_000_000 }), { path: "/mcp/all" });
  await until("the record", async () => (await call(app, "GET /api/v1/activity", {})).total === 1);

  assert.match(body.error.message, /^m{65536}… \[truncated: /);
  const [record] = (await app.store.activity.select({}, { limit: 1 })).records;
  assert.match(record!.error_message!, /^m{8192}… \[truncated: the error has \d+ characters\]$/);
});
