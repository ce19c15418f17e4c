import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { TaskStatusNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { able, ask, listen } from "#test/kit/era.ts";
import { INITIALIZE, type Served, serve, textOf } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const CAPABILITIES = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };
const program = (name: string, ...args: string[]) => ({
  name,
  command: process.execPath,
  args,
  trust_mode: "auto" as const,
});
const newer = program("new", "test/programs/conformance-upstream.mjs", "--era", "modern");
const older = program("old", "test/programs/upstream-tasks.mjs");

/** A session of 2025-11-25: the messages that arrive on its event stream. */
async function session(t: TestContext, served: Served) {
  const path = "/mcp/all";
  const opened = await served.post(INITIALIZE, { path });
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const control = new AbortController();
  t.after(() => control.abort());
  const accept = { accept: "text/event-stream", ...headers };
  const stream = await fetch(served.url + path, { headers: accept, signal: control.signal });
  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape are looked into
  const got: any[] = [];
  const read = async () => {
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream()))
      for (const [, data] of chunk.matchAll(/^data: (.*)$/gm)) got.push(JSON.parse(data!));
  };
  read().catch(() => {});
  const call = async (name: string, more: object = {}) => {
    const params = { name, arguments: {}, ...more };
    return (await served.post({ jsonrpc: "2.0", id: 5, method: "tools/call", params }, { path, headers })).text;
  };
  return { got, call };
}

test("2025: the session that made a task hears of its state and its progress, nobody else", async (t) => {
  const served = await serve(t, { servers: [older], connect: true });
  const mine = await session(t, served);
  const other = await session(t, served);

  const made = await mine.call("old__work", { task: {}, _meta: { progressToken: "tok" } });
  const { taskId } = JSON.parse(made).result.task;
  await other.call("old__finish");
  await until("the task is reported", () => mine.got.some(({ method }) => method === "notifications/tasks/status"));

  const params = (method: string) => mine.got.find((message) => message.method === method)?.params;
  assert.deepEqual(params("notifications/progress"), { progress: 1, total: 2, progressToken: "tok" });
  const { status, statusMessage, ...rest } = params("notifications/tasks/status");
  assert.deepEqual([rest.taskId, status, statusMessage], [taskId, "completed", "all done"]);
  assert.ok(taskId.length > 60, "the id is the caller's own");
  assert.deepEqual(other.got, []);
});

test("2025: a task that ends right after the answer is reported, and is followed no longer", async (t) => {
  const served = await serve(t, { servers: [older], connect: true });
  const mine = await session(t, served);

  await mine.call("old__work", { task: {}, arguments: { hurry: true } });

  const reports = () => mine.got.filter(({ method }) => method === "notifications/tasks/status");
  await until("the task is reported", () => reports().length > 0);
  await mine.call("old__finish");
  await new Promise((done) => setTimeout(done, 200));

  assert.deepEqual(
    reports().map(({ params }) => params.status),
    ["completed"],
  );
});

test("2025: a task that its client may no longer look at is not reported", async (t) => {
  const served = await serve(t, { servers: [older], connect: true });
  const mine = await session(t, served);
  await mine.call("old__work", { task: {} });

  await served.app.config.update((draft) => {
    Object.assign(draft.mcpServers[0]!, { disabled_tools: ["work"] });
  }, "test");
  await mine.call("old__finish");
  await new Promise((done) => setTimeout(done, 300));

  assert.deepEqual(
    mine.got.filter(({ method }) => method === "notifications/tasks/status"),
    [],
  );
});

test("2025: the official client hears of its task", async (t) => {
  const served = await serve(t, { servers: [older], connect: true });
  const client = await served.client("/mcp/all");
  const states: unknown[] = [];
  client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void states.push(params.status));

  const steps: unknown[] = [];
  const call = { name: "old__work", arguments: {} };
  const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
  const made = client.experimental.tasks.callToolStream(call, undefined, { task: {}, onprogress });
  const first = await made.next();
  await client.callTool({ name: "old__finish", arguments: {} });
  for await (const one of made) if (one.type === "result") assert.equal(textOf(one.result), "worked");

  assert.equal(first.value?.type, "taskCreated");
  await until("it heard", () => states.length > 0 && steps.length > 0);
  assert.deepEqual([states, steps], [["completed"], [1]]);
});

test("2026: a client that listens for its tasks gets what tasks/get shows, under its own id", async (t) => {
  const served = await serve(t, { servers: [newer], connect: true });
  const args = { name: "new__confirm_delete", arguments: { filename: "f" } };
  const { taskId } = (await ask(served, "tools/call", { ...args, ...able(CAPABILITIES) })).body.result;

  const mine = await listen(served, { taskIds: [taskId, "made-up"] }, { capabilities: CAPABILITIES });
  const confirmed = await mine.next();
  const asked = await mine.next();
  const answer = { inputResponses: { confirm: { action: "accept", content: { confirm: true } } } };
  const update = { taskId, ...answer, ...able(CAPABILITIES) };
  await ask(served, "tasks/update", update, { headers: { "mcp-name": taskId } });
  let last = asked;
  while (last.params.status !== "completed") last = await mine.next();
  mine.close();

  assert.deepEqual(confirmed.params.notifications, { taskIds: [taskId] });
  assert.equal(asked.method, "notifications/tasks");
  assert.equal(asked.params.status, "input_required");
  assert.equal(asked.params.inputRequests.confirm.params.message, "[new] Delete f?");
  const { body } = await ask(
    served,
    "tasks/get",
    { taskId, ...able(CAPABILITIES) },
    { headers: { "mcp-name": taskId } },
  );
  const { resultType, _meta, ...now } = body.result;
  const { _meta: subscription, ...reported } = last.params;
  assert.deepEqual(reported, now);
  assert.deepEqual(subscription, { "io.modelcontextprotocol/subscriptionId": "sub" });
});

test("2026: nobody else can listen for a task, and listening needs the extension", async (t) => {
  const served = await serve(t, { servers: [newer], connect: true });
  const call = { name: "new__slow_compute", arguments: { seconds: 60 } };
  const { taskId } = (await ask(served, "tools/call", { ...call, ...able(CAPABILITIES) })).body.result;

  const headers = { "x-api-key": served.key };
  const foreign = await listen(served, { taskIds: [taskId] }, { headers, capabilities: CAPABILITIES });
  const confirmed = await foreign.next();
  const plain = await ask(served, "subscriptions/listen", { notifications: { taskIds: [taskId] } });

  assert.deepEqual(confirmed.params.notifications, {});
  assert.equal(plain.status, 400);
  assert.equal(plain.body.error.code, -32021);
});
