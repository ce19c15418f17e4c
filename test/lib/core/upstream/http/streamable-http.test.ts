import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { RpcError } from "#lib/core/schema/mcp.ts";
import { handClock } from "#test/kit/clock.ts";
import {
  callTool,
  type Listening,
  seen,
  startProgram,
  type TestUpstreams,
  testUpstreams,
  textOf,
  until,
} from "#test/kit/upstream.ts";

/** One HTTP upstream of the given flags, connected as `one`; everything is ended afterwards. */
async function withHttp(
  flags: string[],
  entry: Record<string, unknown>,
  body: (all: TestUpstreams, program: Listening) => Promise<void>,
) {
  const program = await startProgram("upstream-http.mjs", ...flags);
  const all = testUpstreams({ servers: [{ name: "one", url: program.url, ...entry }] });
  try {
    await body(all, program);
  } finally {
    await all.close();
    await program.kill();
  }
}
const ready = (all: TestUpstreams) => until("ready", () => all.upstream("one").status().state === "Ready");
const failed = (all: TestUpstreams) => until("an error", () => all.upstream("one").status().state === "Error");
const lastError = (all: TestUpstreams) => all.upstream("one").status().lastError ?? "";

for (const lost of ["404", "400"])
  test(`an upstream that was restarted is given a new session, and the call is repeated once (HTTP ${lost})`, async () => {
    const first = await startProgram("upstream-http.mjs", "--lost-status", lost);
    const port = new URL(first.url).port;
    const all = testUpstreams({ servers: [{ name: "one", url: first.url }] });
    await ready(all);
    await first.kill();
    const second = await startProgram("upstream-http.mjs", "--lost-status", lost, "--port", port, "--tools", "1");
    try {
      const one = all.upstream("one");

      const texts = await Promise.all([1, 2, 3].map(async (n) => textOf(await callTool(one, "echo", { n }))));

      assert.deepEqual(texts, ['{"n":1}', '{"n":2}', '{"n":3}']);
      const stats = JSON.parse(textOf(await callTool(one, "stats"))) as { calls: number; initializes: number };
      assert.deepEqual([stats.initializes, stats.calls], [1, 4]);
      assert.equal(one.status().state, "Ready");
      assert.equal(one.status().reconnects, 1);
      await until("its new tools", () => all.accepted.get("one")?.length === 20);
    } finally {
      await all.close();
      await second.kill();
    }
  });

test("a restart is noticed by the stream of announcements, before anybody calls", async () => {
  const first = await startProgram("upstream-http.mjs");
  const port = new URL(first.url).port;
  const clock = handClock();
  const all = testUpstreams({ clock, servers: [{ name: "one", url: first.url, health_check_interval: "0" }] });
  await until("listening", async () => (await seen(first)).some((s) => s.method === "GET"));
  await until("listed", () => all.accepted.has("one"));
  await first.kill();
  const second = await startProgram("upstream-http.mjs", "--port", port, "--tools", "1");

  await until("a new session", async () => {
    await clock.advance(1000);
    return all.upstream("one").status().reconnects === 1;
  });
  await until("its new tools", async () => {
    await clock.advance(1000);
    return all.accepted.get("one")?.length === 20;
  });

  await all.close();
  await second.kill();
});

test("an upstream that goes away is found out by its pings, and found again when it is back", async () => {
  const first = await startProgram("upstream-http.mjs");
  const port = new URL(first.url).port;
  const clock = handClock();
  const all = testUpstreams({ clock, servers: [{ name: "one", url: first.url, health_check_interval: "5s" }] });
  const wait = (state: string) =>
    until(state, async () => {
      if (one.status().state !== state) await clock.advance(1000);
      return one.status().state === state;
    });
  const one = all.upstream("one");
  await wait("Ready");
  await first.kill();

  await assert.rejects(callTool(one, "echo"), { code: "upstream_failed", message: /no program listens at/ });
  assert.equal(one.status().state, "Ready", "one failure is no loss");
  await wait("Error");
  assert.match(lastError(all), /3 consecutive health checks failed: .*no program listens/);

  const second = await startProgram("upstream-http.mjs", "--port", port);
  await wait("Ready");
  assert.equal(textOf(await callTool(one, "echo", {})), "{}");
  await all.close();
  await second.kill();
});

test("the session and the revision agreed on are named with every request, and the session is ended at the close", async () => {
  const program = await startProgram("upstream-http.mjs");
  const all = testUpstreams({
    servers: [{ name: "one", url: program.url, headers: { "X-Own": "a ${env:B}", Accept: "text/plain" } }],
    secrets: { "env:B": "b" },
  });
  await ready(all);
  await until("listed", () => all.accepted.has("one"));
  await until("listening", async () => (await seen(program)).some((s) => s.method === "GET"));
  await all.close();

  const [probe, initialize, ...rest] = await seen(program);
  await program.kill();

  assert.equal(probe?.headers["mcp-method"], "server/discover");
  assert.equal(probe?.headers["mcp-protocol-version"], "2026-07-28");
  assert.equal(initialize?.headers["mcp-method"], undefined);
  assert.equal(initialize?.headers["mcp-protocol-version"], undefined);
  assert.equal(initialize?.headers["mcp-session-id"], undefined);
  assert.equal(initialize?.headers["x-own"], "a b");
  assert.equal(initialize?.headers.accept, "application/json, text/event-stream");
  const methods = rest.map((s) => s.method).sort();
  assert.deepEqual(methods.slice(0, 4), ["DELETE", "GET", "POST", "POST"]);
  // Requests for further lists may have been sent before the close, and there is no second stream or end.
  for (const method of methods.slice(4)) assert.equal(method, "POST");
  const sessions = new Set(rest.map((s) => s.headers["mcp-session-id"]));
  assert.equal(sessions.size, 1);
  assert.ok(!sessions.has(undefined as unknown as string));
  for (const { method, headers } of rest) assert.equal(headers["mcp-protocol-version"], "2025-11-25", method);
});

test("a server without sessions and without a stream works", async () => {
  await withHttp(["--stateless", "--no-stream"], {}, async (all) => {
    await ready(all);

    assert.equal(textOf(await callTool(all.upstream("one"), "echo", {})), "{}");
  });
});

test("an interrupted answer is fetched from where it broke off", async () => {
  await withHttp(["--response", "sse", "--cut"], {}, async (all) => {
    await ready(all);

    assert.equal(textOf(await callTool(all.upstream("one"), "echo", { a: 1 })), '{"a":1}');
  });
});

test("401 asks for sign-in and is not hammered", async () => {
  await withHttp(["--token", "x"], {}, async (all, program) => {
    await failed(all);

    const status = all.upstream("one").status();
    assert.equal(status.authRequired, true);
    assert.match(status.lastError!, /sign-in/);
    const wait = status.nextAttemptAt! - status.since;
    assert.ok(Math.abs(wait - 300_000) < 10_000, `${wait} ms`);
    await assert.rejects(all.upstream("one").ensureReady(5000), { code: "server_not_ready", message: /sign-in/ });
    assert.equal((await seen(program)).length, 1);
  });
});

test("after 401 a secret that changes is tried at once", async () => {
  const program = await startProgram("upstream-http.mjs", "--token", "new");
  const secrets: Record<string, string> = { "keyring:t": "old" };
  const headers = { Authorization: "Bearer ${keyring:t}" };
  const all = testUpstreams({ servers: [{ name: "one", url: program.url, headers }], secrets });
  await failed(all);

  secrets["keyring:t"] = "new";
  all.events.publish("secrets.changed", { operation: "store", secret_name: "t" });

  await ready(all);
  await all.close();
  await program.kill();
});

test("a token in a header opens the listener", async () => {
  const program = await startProgram("upstream-http.mjs", "--token", "x");
  const all = testUpstreams({
    servers: [{ name: "one", url: program.url, headers: { Authorization: "Bearer ${keyring:t}" } }],
    secrets: { "keyring:t": "x" },
  });

  await ready(all);

  await all.close();
  await program.kill();
});

test("a redirect within the origin is followed", async () => {
  await withHttp(["--redirect", "/other/mcp"], {}, async (all) => {
    await ready(all);

    assert.equal(textOf(await callTool(all.upstream("one"), "echo", {})), "{}");
  });
});

test("a redirect to another origin is not followed, so no header leaks", async () => {
  const other = await startProgram("upstream-http.mjs");
  await withHttp(["--redirect", other.url], { headers: { Authorization: "Bearer secret" } }, async (all) => {
    await failed(all);

    assert.match(lastError(all), /redirects to http:\/\/127\.0\.0\.1:\d+, another origin/);
    assert.equal(all.upstream("one").status().authRequired, undefined);
  });
  assert.equal((await (await fetch(new URL("/requests", other.url))).text()).includes("secret"), false);
  await other.kill();
});

for (const flags of [
  ["--huge", "100"],
  ["--huge", "100", "--chunked"],
])
  test(`an answer of 100 MiB ends that call with a clear error and does not fill memory: ${flags.join(" ")}`, async () => {
    await withHttp(flags, {}, async (all) => {
      await ready(all);
      const one = all.upstream("one");
      const before = process.memoryUsage().rss;

      await assert.rejects(callTool(one, "huge"), {
        code: "upstream_failed",
        message: /"one" failed: its response of \d+ bytes or more is larger than the maximum of 67108864/,
      });

      assert.ok(process.memoryUsage().rss - before < 250 << 20);
      assert.equal(textOf(await callTool(one, "echo", {})), "{}");
    });
  });

test("an answer that is no JSON, or none at all, fails that call and nothing else", async () => {
  await withHttp(["--garbage"], {}, async (all) => {
    await ready(all);

    await assert.rejects(callTool(all.upstream("one"), "echo"), {
      code: "upstream_failed",
      message: /instead of a JSON-RPC/,
    });
    assert.equal(all.upstream("one").status().state, "Ready");
  });
  await withHttp(["--silent-drop"], {}, async (all) => {
    await ready(all);

    await assert.rejects(callTool(all.upstream("one"), "echo"), {
      code: "upstream_failed",
      message: /without a response|abruptly/,
    });
    assert.equal(all.upstream("one").status().state, "Ready");
  });
});

for (const status of [403, 500, 503])
  test(`HTTP ${status} is an Error that says so`, async () => {
    await withHttp(["--status", String(status)], {}, async (all) => {
      await failed(all);

      assert.match(lastError(all), new RegExp(`HTTP ${status}: on purpose`));
    });
  });

for (const protocol of ["auto", "http", undefined])
  test(`an older HTTP+SSE server is found by falling back (protocol ${protocol})`, async () => {
    const program = await startProgram("upstream-sse.mjs");
    const all = testUpstreams({ servers: [{ name: "one", url: program.url, ...(protocol && { protocol }) } as never] });
    await ready(all);

    assert.equal(all.upstream("one").status().protocolVersion, "2024-11-05");
    assert.equal(textOf(await callTool(all.upstream("one"), "echo", {})), "{}");

    await all.close();
    await program.kill();
  });

test("protocol streamable-http does not fall back", async () => {
  const program = await startProgram("upstream-sse.mjs");
  const all = testUpstreams({ servers: [{ name: "one", url: program.url, protocol: "streamable-http" }] });
  await failed(all);

  assert.match(lastError(all), /HTTP 405/);

  await all.close();
  await program.kill();
});

test("an endpoint on another origin is refused", async () => {
  const program = await startProgram("upstream-sse.mjs", "--endpoint", "http://127.0.0.1:9/steal");
  const all = testUpstreams({ servers: [{ name: "one", url: program.url, protocol: "sse" }] });
  await failed(all);

  assert.match(lastError(all), /endpoint on another origin \(http:\/\/127\.0\.0\.1:9\)/);

  await all.close();
  await program.kill();
});

test("an SSE stream that ends is opened again", async () => {
  const program = await startProgram("upstream-sse.mjs", "--drop-after", "400");
  const all = testUpstreams({ servers: [{ name: "one", url: program.url, protocol: "sse" }] });
  await ready(all);
  const waiting = callTool(all.upstream("one"), "slow", { ms: 5000 });

  await assert.rejects(waiting, { code: "upstream_failed" });

  await until("ready again", () => all.upstream("one").status().reconnects > 0);
  await all.close();
  await program.kill();
});

/** A server of three lines, for answers the test programs do not give. */
async function handmade(answer: (method: string, id: unknown) => { status?: number; type?: string; body: string }) {
  const server: Server = createServer((req, res) => {
    let text = "";
    req.on("data", (d) => (text += d));
    req.on("end", () => {
      if (req.method !== "POST") return void res.writeHead(405).end();
      const { method, id } = JSON.parse(text) as { method: string; id: unknown };
      if (id === undefined) return void res.writeHead(202).end();
      const { status = 200, type = "application/json", body } = answer(method, id);
      res.writeHead(status, { "content-type": type }).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url, close };
}
const greeting = (id: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: {} } });

test("a JSON-RPC error in a refused request's body reaches the caller with code and data", async () => {
  const server = await handmade((method, id) =>
    method === "initialize"
      ? { body: greeting(id) }
      : { status: 400, body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no","data":[1]}}' },
  );
  const all = testUpstreams({ servers: [{ name: "one", url: server.url }] });
  await ready(all);

  await assert.rejects(callTool(all.upstream("one"), "x"), (error: RpcError) => {
    assert.ok(error instanceof RpcError);
    assert.deepEqual([error.code, error.message, error.data], [-32602, "no", [1]]);
    return true;
  });

  await all.close();
  await server.close();
});

test("batches, events of several lines and an id sent back as a string are understood; a raw text has no line breaks", async () => {
  const server = await handmade((method, id) => {
    if (method === "initialize") return { body: greeting(id) };
    if (method === "tools/list")
      return { body: `[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"${id}","result":{"tools":[]}}]` };
    const lines = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } }, null, 2).split("\n");
    return { type: "text/event-stream; charset=utf-8", body: `${lines.map((l) => `data: ${l}\r\n`).join("")}\r\n` };
  });
  const all = testUpstreams({ servers: [{ name: "one", url: server.url }] });
  await ready(all);

  await until("listed", () => all.accepted.has("one"));
  assert.equal((await callTool(all.upstream("one"), "x")).raw, '{     "content": []   }');

  await all.close();
  await server.close();
});

test("an answer nested too deep fails that call, and error data nested too deep is left out", async () => {
  const deep = (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`;
  const server = await handmade((method, id) => {
    if (method === "initialize") return { body: greeting(id) };
    if (method === "tools/list") return { body: `{"jsonrpc":"2.0","id":${id},"result":{"tools":[]}}` };
    if (method === "fails")
      return { body: `{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":"m","data":${deep(100_000)}}}` };
    return { body: `{"jsonrpc":"2.0","id":${id},"result":{"content":[${deep(method === "fine" ? 198 : 199)}]}}` };
  });
  const all = testUpstreams({ servers: [{ name: "one", url: server.url }] });
  await ready(all);
  const ask = (method: string) => all.upstream("one").request(method, {}, { timeoutMs: 60_000 });

  assert.equal((await ask("fine")).raw, `{"content":[${deep(198)}]}`);
  await assert.rejects(ask("deep"), { code: "upstream_failed", message: /nested deeper than 200 levels/ });
  const left = { "proxy/left_out": "the data of this error is larger than 65536 characters or too deep" };
  await assert.rejects(ask("fails"), { name: "RpcError", code: 1, data: left });

  await all.close();
  await server.close();
});

test("when the stream of announcements was interrupted, the tools are listed again", async () => {
  const program = await startProgram("upstream-http.mjs");
  const all = testUpstreams({ servers: [{ name: "one", url: program.url }] });
  await until("listening", async () => (await seen(program)).some((s) => s.method === "GET"));
  await until("listed", () => all.accepts() === 1);

  await fetch(new URL("/cut-streams", program.url), { method: "PUT" });

  await until("listed again", () => all.accepts() === 2);
  await all.close();
  await program.kill();
});

test("a revision nobody knows is refused with its name", async () => {
  const server = await handmade((_method, id) => ({
    body: JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "1999-01-01", capabilities: {} } }),
  }));
  const all = testUpstreams({ servers: [{ name: "one", url: server.url }] });
  await failed(all);

  assert.match(lastError(all), /protocol version 1999-01-01/);

  await all.close();
  await server.close();
});

for (const { what, answer, isKept } of [
  { what: "is kept", answer: (res: ServerResponse) => void res.writeHead(405).end("no stream"), isKept: true },
  {
    what: "is closed if the response has not ended after a second",
    answer: (res: ServerResponse) => void res.writeHead(405).write("no stream"),
    isKept: false,
  },
  {
    what: "is closed if the response is longer than 64 kB",
    answer: (res: ServerResponse) => void res.writeHead(405).write("x".repeat(70_000)),
    isKept: false,
  },
])
  test(`the connection on which a server responds that it has no stream ${what}`, async () => {
    let isClosed: boolean | undefined;
    const server = createServer(async (req, res) => {
      if (req.method === "GET") {
        isClosed = false;
        req.socket.once("close", () => {
          isClosed = true;
        });
        return answer(res);
      }
      let text = "";
      for await (const chunk of req) text += chunk;
      const { method, id } = JSON.parse(text) as { method: string; id?: unknown };
      if (id === undefined) return void res.writeHead(202).end();
      res.writeHead(200, { "content-type": "application/json" });
      res.end(method === "initialize" ? greeting(id) : JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const clock = handClock();
    const all = testUpstreams({ clock, servers: [{ name: "one", url, protocol: "streamable-http" }] });
    try {
      await until("the request for a stream", () => isClosed !== undefined);
      if (isKept) {
        await until("listed", () => all.accepted.has("one"));
        // The connection has time to be closed.
        for (let i = 0; i < 20; i++) await new Promise((next) => setImmediate(next));
      } else
        await until("the end of the connection", async () => {
          await clock.advance(200);
          return isClosed === true;
        });

      assert.equal(isClosed, !isKept);
      assert.equal(all.upstream("one").status().state, "Ready");
    } finally {
      await all.close();
      server.closeAllConnections();
      server.close();
    }
  });
