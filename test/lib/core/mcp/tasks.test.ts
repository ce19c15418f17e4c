import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { able, ask } from "#test/kit/era.ts";
import { type Served, serve, textOf } from "#test/kit/mcp.ts";

const TASKS = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };
const newer = {
  name: "new",
  command: process.execPath,
  args: ["test/programs/conformance-upstream.mjs", "--era", "modern"],
  trust_mode: "auto" as const,
};
const older = {
  name: "old",
  command: process.execPath,
  args: ["node_modules/@modelcontextprotocol/server-everything/dist/index.js"],
  trust_mode: "auto" as const,
};

const about = (served: Served, method: string, taskId: string, more: object = {}, headers: object = {}) =>
  ask(served, method, { taskId, ...able(TASKS), ...more }, { headers: { "mcp-name": taskId, ...headers } });

async function statusAfter(served: Served, taskId: string, not: string) {
  for (;;) {
    const { result } = (await about(served, "tasks/get", taskId)).body;
    if (result.status !== not) return result;
    await new Promise((done) => setTimeout(done, 20));
  }
}

test("2026: a call answered with a task is looked at, answered and ended under an id of the caller's own", async (t) => {
  const served = await serve(t, { servers: [newer], connect: true });
  const { capabilities } = (await ask(served, "server/discover", able(TASKS))).body.result;
  assert.deepEqual(capabilities.extensions, TASKS.extensions);

  const args = { name: "new__confirm_delete", arguments: { filename: "f" } };
  const created = (await ask(served, "tools/call", { ...args, ...able(TASKS) })).body.result;
  const { taskId } = created;

  assert.equal(created.resultType, "task");
  assert.ok(taskId.length > 60, "it is sealed");
  const asked = await statusAfter(served, taskId, "working");
  assert.equal(asked.taskId, taskId);
  assert.equal(asked.status, "input_required");
  assert.equal(asked.inputRequests.confirm.params.message, "[new] Delete f?");
  const inputResponses = { confirm: { action: "accept", content: { confirm: true } } };
  const updated = await about(served, "tasks/update", taskId, { inputResponses });
  assert.equal(updated.body.result.resultType, "complete");
  const done = await statusAfter(served, taskId, "working");
  assert.equal(done.status, "completed");
  assert.equal(textOf(done.result), "deleted f");
  const { records } = await served.app.store.activity.select({ type: ["tool_call"] }, { limit: 10 });
  assert.deepEqual(
    records.map(({ tool_name, metadata }) => [tool_name, metadata?.task_method]),
    [
      ["confirm_delete", "tasks/get"],
      ["confirm_delete", "tasks/update"],
      ["confirm_delete", undefined],
    ],
  );
});

test("2026: a task is its caller's alone, and needs the extension", async (t) => {
  const served = await serve(t, { servers: [newer], connect: true });
  const call = { name: "new__slow_compute", arguments: { seconds: 60 } };
  const { taskId } = (await ask(served, "tools/call", { ...call, ...able(TASKS) })).body.result;

  const foreign = await about(served, "tasks/get", taskId, {}, { "x-api-key": served.key });
  const forged = await about(served, "tasks/get", `${taskId.slice(0, -1)}${taskId.endsWith("A") ? "B" : "A"}`);
  const plain = await ask(served, "tasks/get", { taskId }, { headers: { "mcp-name": taskId } });
  const unnamed = await ask(served, "tasks/get", { taskId, ...able(TASKS) });

  assert.equal(foreign.body.error.code, -32602);
  assert.equal(forged.body.error.code, -32602);
  assert.equal(plain.status, 400);
  assert.equal(plain.body.error.code, -32021);
  assert.equal(unnamed.body.error.code, -32020, "the header must repeat the id");
  const cancelled = (await about(served, "tasks/cancel", taskId)).body.result;
  assert.equal(cancelled.resultType, "complete");
  assert.equal((await about(served, "tasks/get", taskId)).body.result.status, "cancelled");
  const atOnce = (await ask(served, "tools/call", call)).body.result;
  assert.equal(textOf(atOnce), "done at once", "whoever does not know tasks gets none");
});

test("2025: the official client makes a task of a call, is asked, and gets the result", async (t) => {
  const served = await serve(t, { servers: [older], connect: true });
  const client = new Client({ name: "older", version: "1" }, { capabilities: { elicitation: { form: {} } } });
  const messages: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    messages.push(params.message);
    return { action: "accept", content: { interpretation: "technical" } };
  });
  const transport = new StreamableHTTPClientTransport(new URL(`${served.url}/mcp/all`));
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  t.after(() => client.close());
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === "old__simulate-research-query");
  assert.deepEqual(tool?.execution, { taskSupport: "optional" });

  const states: string[] = [];
  let result: object = {};
  const call = { name: "old__simulate-research-query", arguments: { topic: "python", ambiguous: true } };
  for await (const one of client.experimental.tasks.callToolStream(call, CallToolResultSchema, { task: {} })) {
    if (one.type === "error") throw one.error;
    if (one.type === "result") result = one.result;
    else states.push(one.task.taskId);
  }

  assert.match(textOf(result), /research/i);
  assert.match(messages.join(), /^\[old\] The research query "python"/);
  const [taskId] = states;
  assert.equal(new Set(states).size, 1, "the id stays the same");
  const { tasks } = await client.experimental.tasks.listTasks();
  assert.deepEqual(
    tasks.map((task) => task.taskId),
    [taskId],
  );
  await assert.rejects(client.experimental.tasks.cancelTask(taskId!), /-32602/);
  await assert.rejects(client.experimental.tasks.getTask("made-up"), /-32602/);
});

test("2025: a tool that needs a task can be called by clients that know none", async (t) => {
  const served = await serve(t, { servers: [older], connect: true });
  const call = { name: "old__simulate-research-query", arguments: { topic: "x" } };

  const { result } = (await ask(served, "tools/call", call)).body;

  assert.match(textOf(result), /research/i);
  assert.equal(result._meta?.["io.modelcontextprotocol/related-task"], undefined);
});
