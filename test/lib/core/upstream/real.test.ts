import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Progress } from "#lib/core/schema/mcp.ts";
import { callTool, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

/** Servers nobody here wrote, as they come from npm. */
const program = (name: string) =>
  join(process.cwd(), `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

async function everythingOverHttp(mode: "streamableHttp" | "sse", port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program("everything"), mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  await until("it listens", () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  );
  return child;
}
const ended = (child: ChildProcess) => {
  const exit = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  return exit;
};

test("the official servers over standard streams: connect, list, call", async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "proxy-")));
  writeFileSync(join(dir, "a.txt"), "content of a");
  const all = testUpstreams({
    servers: [
      { name: "everything", command: process.execPath, args: [program("everything")] },
      { name: "files", command: process.execPath, args: [program("filesystem"), dir] },
      {
        name: "memory",
        command: process.execPath,
        args: [program("memory")],
        env: { MEMORY_FILE_PATH: join(dir, "m.json") },
      },
    ],
  });
  try {
    await until("listed", () => ["everything", "files", "memory"].every((n) => all.accepted.has(n)));

    assert.match(textOf(await callTool(all.upstream("everything"), "echo", { message: "hi" })), /hi/);
    assert.equal(
      textOf(await callTool(all.upstream("files"), "read_text_file", { path: join(dir, "a.txt") })),
      "content of a",
    );
    const graph = await callTool(all.upstream("memory"), "read_graph");
    assert.deepEqual((graph.result as { structuredContent: unknown }).structuredContent, {
      entities: [],
      relations: [],
    });
    assert.ok(all.accepted.get("files")!.some((t) => t.annotations?.readOnlyHint === true));
  } finally {
    await all.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

test("server-everything reports progress", async () => {
  const all = testUpstreams({
    servers: [{ name: "everything", command: process.execPath, args: [program("everything")] }],
  });
  try {
    const everything = all.upstream("everything");
    await everything.ensureReady(15_000);
    const seen: Progress[] = [];

    await everything.request(
      "tools/call",
      { name: "trigger-long-running-operation", arguments: { duration: 0.2, steps: 2 } },
      { timeoutMs: 10_000, onProgress: (p) => seen.push(p) },
    );

    assert.deepEqual(
      seen.map((p) => [p.progress, p.total]),
      [
        [1, 2],
        [2, 2],
      ],
    );
  } finally {
    await all.close();
  }
});

test("server-everything over streamable HTTP: call, restart behind our back, call again", async () => {
  const port = await freePort();
  let child = await everythingOverHttp("streamableHttp", port);
  const all = testUpstreams({ servers: [{ name: "one", url: `http://127.0.0.1:${port}/mcp` }] });
  try {
    const one = all.upstream("one");
    await until("listed", () => all.accepted.has("one"));
    assert.match(textOf(await callTool(one, "echo", { message: "hi" })), /hi/);

    await ended(child);
    child = await everythingOverHttp("streamableHttp", port);

    assert.match(textOf(await callTool(one, "echo", { message: "again" })), /again/);
    assert.equal(one.status().reconnects, 1);
  } finally {
    await all.close();
    await ended(child);
  }
});

test("server-everything over the older HTTP+SSE is found by protocol auto", async () => {
  const port = await freePort();
  const child = await everythingOverHttp("sse", port);
  const all = testUpstreams({ servers: [{ name: "one", url: `http://127.0.0.1:${port}/sse` }] });
  try {
    await until("listed", () => all.accepted.has("one"));

    assert.match(textOf(await callTool(all.upstream("one"), "echo", { message: "hi" })), /hi/);
  } finally {
    await all.close();
    await ended(child);
  }
});
