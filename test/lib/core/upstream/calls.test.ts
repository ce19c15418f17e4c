import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { type Progress, RpcError } from "#lib/core/schema/mcp.ts";
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

/** One upstream of each kind; every test below holds for all of them. */
const KINDS = ["stdio", "http", "http-sse", "legacy-sse"] as const;
let programs: Listening[];
let all: TestUpstreams;

before(async () => {
  programs = await Promise.all([
    startProgram("upstream-http.mjs"),
    startProgram("upstream-http.mjs", "--response", "sse"),
    startProgram("upstream-sse.mjs"),
  ]);
  all = testUpstreams({
    servers: [
      stdioServer("stdio"),
      { name: "http", url: programs[0]!.url, protocol: "http" },
      { name: "http-sse", url: programs[1]!.url, protocol: "streamable-http" },
      { name: "legacy-sse", url: programs[2]!.url, protocol: "sse" },
    ],
  });
  await until("all ready", () => KINDS.every((k) => all.upstream(k).status().state === "Ready"));
});
after(async () => {
  await all.close();
  await Promise.all(programs.map((p) => p.kill()));
});

/** The same rule for every transport. */
function everywhere(title: string, body: (upstream: Upstream) => Promise<void>) {
  for (const kind of KINDS) test(`${title}: ${kind}`, () => body(all.upstream(kind)));
}

everywhere("the handshake tells who the upstream is and which revision it speaks", async (upstream) => {
  const status = upstream.status();

  assert.equal(status.serverInfo?.version, "1.0.0");
  assert.equal(status.protocolVersion, upstream.name === "legacy-sse" ? "2024-11-05" : "2025-11-25");
  assert.equal(status.instructions, "Upstream for tests.");
  assert.equal(status.attempts, 0);
  assert.equal(status.pid !== undefined, upstream.name === "stdio");
});

everywhere("its tools reach the catalog as it sent them", async (upstream) => {
  await until("tools listed", () => all.accepted.has(upstream.name));

  const tools = all.accepted.get(upstream.name)!;
  assert.equal(tools.length, 19);
  assert.deepEqual(tools.find((t) => t.name === "structured")?._meta, { "test/tag": "kept" });
});

everywhere("an answer keeps its own bytes", async (upstream) => {
  for (const json of [
    '{"content":[{"type":"text","text":"a"}],"n":12345678901234567890123,"m":1.0,"e":1e2}',
    '{"content":[],"structuredContent":{"k":1,"k":2,"u":"\\u0041\\ud83d\\ude00\\/"}}',
    '{ "content" : [ ] , "x" : "größe 日本" }',
  ]) {
    const reply = await callTool(upstream, "raw", { json });

    assert.equal(reply.raw, json);
    assert.deepEqual(reply.result, JSON.parse(json));
  }
});

everywhere("arguments of a mebibyte arrive whole", async (upstream) => {
  const message = "grüße ".repeat(180_000);

  const reply = await callTool(upstream, "echo", { message });

  assert.equal((JSON.parse(textOf(reply)) as { message: string }).message, message);
});

everywhere("an answer of several mebibytes arrives whole", async (upstream) => {
  assert.equal(textOf(await callTool(upstream, "big", { kb: 5000 })).length, 5_120_000);
});

everywhere("a JSON-RPC error keeps its code, message and data", async (upstream) => {
  await assert.rejects(callTool(upstream, "rpc_error"), (error: RpcError) => {
    assert.ok(error instanceof RpcError);
    assert.equal(error.code, -32099);
    assert.equal(error.message, "error on purpose");
    assert.deepEqual(error.data, { kept: true });
    return true;
  });
});

everywhere("an isError result is an answer", async (upstream) => {
  const reply = await callTool(upstream, "fail", { message: "so what" });

  assert.equal((reply.result as { isError: boolean }).isError, true);
});

everywhere("a hundred calls at once each get their own answer", async (upstream) => {
  const texts = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => textOf(await callTool(upstream, "echo", { i }))),
  );

  assert.deepEqual(
    texts,
    Array.from({ length: 100 }, (_, i) => JSON.stringify({ i })),
  );
});

everywhere("progress is delivered in order and before the answer, even from one chunk", async (upstream) => {
  for (const args of [
    { steps: 3, ms: 1 },
    { steps: 3, burst: true },
  ]) {
    const seen: Progress[] = [];
    let answered = false;
    const reply = await upstream.request(
      "tools/call",
      { name: "progress", arguments: args, _meta: { "test/own": 1 } },
      {
        timeoutMs: 10_000,
        onProgress: (p) => {
          assert.ok(!answered);
          seen.push(p);
        },
      },
    );
    answered = true;

    assert.equal(textOf(reply), "done 3");
    assert.deepEqual(
      seen,
      [1, 2, 3].map((n) => ({ progress: n, total: 3, message: `step ${n}` })),
    );
  }
});

everywhere("progress of calls running side by side is kept apart", async (upstream) => {
  const runs = [2, 3, 4].map(async (steps) => {
    const seen: unknown[] = [];
    await upstream.request(
      "tools/call",
      { name: "progress", arguments: { steps, ms: 2 } },
      { timeoutMs: 10_000, onProgress: (p) => seen.push(p.total) },
    );
    return seen;
  });

  assert.deepEqual(await Promise.all(runs), [
    [2, 2],
    [3, 3, 3],
    [4, 4, 4, 4],
  ]);
});

const cancelled = async (upstream: Upstream) =>
  (JSON.parse(textOf(await callTool(upstream, "stats"))) as { cancelled: number }).cancelled;

everywhere("a caller's abort is passed on to the upstream at once", async (upstream) => {
  const before = await cancelled(upstream);
  const caller = new AbortController();
  const call = upstream.request(
    "tools/call",
    { name: "slow", arguments: { ms: 60_000 } },
    { timeoutMs: 120_000, signal: caller.signal },
  );
  setTimeout(() => caller.abort(), 30);

  await assert.rejects(call, { code: "cancelled" });

  await until("the upstream heard of it", async () => (await cancelled(upstream)) === before + 1);
});

everywhere("a call without an answer ends with call_timeout and cancels the upstream's work", async (upstream) => {
  const before = await cancelled(upstream);

  await assert.rejects(callTool(upstream, "slow", { ms: 60_000 }, 80), (error: Fault) => {
    assert.ok(error instanceof Fault);
    assert.equal(error.code, "call_timeout");
    assert.deepEqual(error.facts, { id: `${upstream.name}:slow`, ms: 80 });
    return true;
  });

  await until("the upstream heard of it", async () => (await cancelled(upstream)) === before + 1);
  assert.equal(upstream.status().state, "Ready");
});

everywhere("a call aborted before it began is not sent", async (upstream) => {
  const before = JSON.parse(textOf(await callTool(upstream, "stats"))) as { calls: number };

  await assert.rejects(
    upstream.request("tools/call", { name: "echo" }, { timeoutMs: 1000, signal: AbortSignal.abort() }),
    { code: "cancelled" },
  );

  const later = JSON.parse(textOf(await callTool(upstream, "stats"))) as { calls: number };
  assert.equal(later.calls, before.calls + 1);
});

everywhere("what the upstream asks is answered with a cancellation where nobody can be asked", async (upstream) => {
  const reply = await callTool(upstream, "ask");

  assert.match(textOf(reply), /^asked: \{"action":"cancel"\}/);
});

everywhere("other methods are passed on too", async (upstream) => {
  const reply = await upstream.request("resources/read", { uri: "test://one" }, { timeoutMs: 60_000 });

  assert.equal(reply.raw, '{"contents":[{"uri":"test://one","mimeType":"text/plain","text":"body of test://one"}]}');
});

everywhere("a change of the tool list is noticed and listed again", async (upstream) => {
  await callTool(upstream, "add_tool", { name: "fresh", description: "New." });
  await until("the new tool", () => all.accepted.get(upstream.name)?.some((t) => t.name === "fresh"));

  await callTool(upstream, "remove_tool", { name: "fresh" });

  await until("it is gone", () => !all.accepted.get(upstream.name)?.some((t) => t.name === "fresh"));
});
