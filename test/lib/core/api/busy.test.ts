import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { requestBodyBudget } from "#lib/core/api/request-body-budget.ts";
import { requestBytes } from "#lib/core/base/byte-budget.ts";
import { TEST_KEY } from "#test/kit/app.ts";
import { program, serve, toolCall } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const MIB = 1 << 20;
const READ = { intent: { operation_type: "read" } };

/** A proxy on which requests under way hold all but 100 KiB of the 2 MiB that are set aside for them. */
async function busy(t: TestContext) {
  const served = await serve(t, { config: { max_request_memory_mb: 2 }, servers: [program("fx")], connect: true });
  const others = served.app.part(requestBodyBudget).hold();
  assert.ok(others.add(2 * MIB - 100_000));
  return { ...served, others };
}

const message = (chars: number) =>
  toolCall("call_tool_read", { ...READ, name: "fx:echo", args: { message: "x".repeat(chars) } });

test("a large MCP message is refused for now while those under way hold the memory set aside, with a wait that programs can read", async (t) => {
  const { post, others } = await busy(t);

  const refused = await post(message(600_000));

  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.deepEqual(refused.body.error.data, { code: "server_busy", retry_after_ms: 1000 });
  assert.match(refused.body.error.message, /max_request_memory_mb.*try again in 1000 ms/);

  others.end();
  assert.equal((await post(message(600_000))).body.result.isError, undefined);
});

test("small messages are answered all the same", async (t) => {
  const { post } = await busy(t);

  assert.equal((await post(message(200_000))).body.result.isError, undefined);
});

test("a body without a declared length is refused when it has grown too large, and holds nothing afterwards", async (t) => {
  const { url, app, others } = await busy(t);
  const before = app.part(requestBodyBudget).taken;
  const chunks = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 6; i++)
        controller.enqueue(new TextEncoder().encode(i === 0 ? '{"a":"' : "x".repeat(100_000)));
      controller.enqueue(new TextEncoder().encode('"}'));
      controller.close();
    },
  });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

  const refused = await fetch(`${url}/mcp`, { method: "POST", headers, body: chunks, duplex: "half" } as RequestInit);

  assert.equal(refused.status, 503);
  await until("its bytes are given back", () => app.part(requestBodyBudget).taken === before);
  others.end();
  assert.equal(app.part(requestBodyBudget).taken, 0);
});

test("a large REST body is refused for now in the same way", async (t) => {
  const { url, app } = await busy(t);
  const before = app.part(requestBodyBudget).taken;
  const body = JSON.stringify({ tool_name: "fx:echo", arguments: { message: "x".repeat(600_000) } });
  const headers = { "content-type": "application/json", "x-api-key": TEST_KEY };

  const refused = await fetch(`${url}/api/v1/tools/call`, { method: "POST", headers, body });

  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.equal(((await refused.json()) as { code: string }).code, "server_busy");
  assert.equal(app.part(requestBodyBudget).taken, before);
});

test("bytes are held while a call waits for its answer, and given back with it", async (t) => {
  const { post, app } = await serve(t, { servers: [program("fx")], connect: true });
  const call = toolCall("call_tool_read", { ...READ, name: "fx:slow", args: { ms: 300, pad: "x".repeat(300_000) } });

  const answer = post(call);
  await until("it is under way", () => app.part(requestBodyBudget).taken > 300_000);
  await answer;

  await until("its bytes are given back", () => app.part(requestBodyBudget).taken === 0);
});

test("of many large messages that arrive together some are answered, and the others are refused", async (t) => {
  const { post, app } = await serve(t, {
    config: { max_request_memory_mb: 3 },
    servers: [program("fx")],
    connect: true,
  });

  const answers = await Promise.all(Array.from({ length: 8 }, () => post(message(1_000_000))));

  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(new Set(statuses), new Set([200, 503]), statuses.join(" "));
  await until("nothing is held", () => app.part(requestBodyBudget).taken === 0);
});

test("what is set aside is stated, or follows the memory of the machine within bounds", () => {
  assert.equal(requestBytes(5), 5 * MIB);
  assert.equal(requestBytes(0), 0);
  assert.equal(requestBytes(undefined, 512 * MIB), 48 * MIB);
  assert.equal(requestBytes(undefined, 3584 * MIB), 56 * MIB);
  assert.equal(requestBytes(undefined, 64 * 1024 * MIB), 64 * MIB);
});

test("a message of very many members or elements is refused by their number, before it is parsed", async (t) => {
  const { post } = await serve(t);
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(",");
  const bodies = [
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{${keys(450_000)}}}`,
    `[${"{},".repeat(200_000)}{}]`,
  ];

  for (const body of bodies) {
    const refused = await post(body);
    assert.equal(refused.status, 400);
    assert.equal(refused.body.error.message, "Parse error: the text contains more than 100000 members and elements");
  }
  assert.equal((await post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{${keys(90_000)}}}`)).status, 200);
});

test("arguments that come as text are bounded in the same way", async (t) => {
  const { post } = await serve(t, { servers: [program("fx")], connect: true });
  const args_json = `{"list":[${"1,".repeat(200_000)}1]}`;

  const { body } = await post(toolCall("call_tool_read", { ...READ, name: "fx:echo", args_json }));

  assert.match(body.result.content[0].text, /args_json is not valid JSON: the text contains more than 100000 members/);
});
