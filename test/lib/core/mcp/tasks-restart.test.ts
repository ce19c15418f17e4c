import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { able, ask } from "#test/kit/era.ts";
import { INITIALIZE, type Served, serve, textOf } from "#test/kit/mcp.ts";
import { createTasks } from "#test/programs/conformance-tasks.mjs";

const CAPABILITIES = { extensions: { "io.modelcontextprotocol/tasks": {} } };

/** A server of 2026-07-28 over HTTP, which outlives the proxy. */
async function remote() {
  const { tools, extensions, answer } = createTasks();
  const listed = Object.entries(tools).map(([name, { description }]) => ({
    name,
    description,
    inputSchema: { type: "object" },
  }));
  // biome-ignore lint/suspicious/noExplicitAny: params of every shape are looked into
  const result = (method: string, params: any): unknown => {
    if (method === "server/discover")
      return { supportedVersions: ["2026-07-28"], capabilities: { tools: {}, extensions } };
    if (method === "tools/list") return { tools: listed };
    if (method === "tools/call") return tools[params.name]!.run(undefined, params);
    const task = answer(method, params);
    if (task) return task;
    throw { code: -32601, message: "Method not found" };
  };
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const chunk of req) body += chunk;
    const { id, method, params } = JSON.parse(body || "{}");
    const answered = await Promise.resolve()
      .then(() => result(method, params))
      .then(
        (made) => ({ result: { resultType: "complete", ...(made as object) } }),
        (error) => ({ error }),
      );
    res.writeHead(id === undefined ? 202 : 200, { "content-type": "application/json" });
    res.end(id === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", id, ...answered }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, close: () => server.close() };
}

const look = (served: Served, method: string, taskId: string) =>
  ask(served, method, { taskId, ...able(CAPABILITIES) }, { headers: { "mcp-name": taskId } });

async function session(served: Served) {
  const path = "/mcp/all";
  const opened = await served.post(INITIALIZE, { path });
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  return async (method: string, params: object) =>
    (await served.post({ jsonrpc: "2.0", id: 3, method, params }, { path, headers })).body;
}

test("after a restart a task is still known to its client where its server lives on, and gone where the server's process ended", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  const far = await remote();
  t.after(() => {
    far.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const command = process.execPath;
  const servers = [
    { name: "far", url: far.url, trust_mode: "auto" as const },
    { name: "near", command, args: ["test/programs/upstream-tasks.mjs"], trust_mode: "auto" as const },
  ];

  let lasting = "";
  let lost = "";
  await t.test("before", async (before) => {
    const served = await serve(before, { servers, dir, connect: true });
    const call = { name: "far__slow_compute", arguments: { seconds: 0.01 }, ...able(CAPABILITIES) };
    lasting = (await ask(served, "tools/call", call)).body.result.taskId;
    const made = await (await session(served))("tools/call", { name: "near__work", arguments: {}, task: {} });
    lost = made.result.task.taskId;
  });

  const served = await serve(t, { servers, dir, connect: true });
  const { result } = (await look(served, "tasks/get", lasting)).body;
  assert.deepEqual([result.status, textOf(result.result)], ["completed", "computed"]);
  assert.equal(result.taskId, lasting);

  const { error } = await (await session(served))("tasks/get", { taskId: lost });
  assert.deepEqual([error.code, error.message], [-32602, "no such task"], "what the new process says of it");
});
