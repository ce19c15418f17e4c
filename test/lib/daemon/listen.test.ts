import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { router } from "#handlers/router.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { sendJson } from "#lib/core/mcp/send-json.ts";
import { listen } from "#lib/daemon/listen.ts";
import type { PostResponse } from "#lib/daemon/posts/post-response.ts";
import { listenTest, TEST_KEY, type TestApp, withApp } from "#test/kit/app.ts";
import { heardLog } from "#test/kit/log.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

const unix = { skip: process.platform === "win32" && "no Unix sockets here" };

interface Got {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}
const get = (to: { socketPath: string } | { url: string }, path: string, headers = {}) =>
  new Promise<Got>((done, fail) => {
    const port = "url" in to ? { host: "127.0.0.1", port: new URL(to.url).port } : to;
    request({ ...port, path, headers, agent: false }, (res) => {
      let body = "";
      res.setEncoding("utf8").on("data", (d) => {
        body += d;
      });
      res.on("end", () => done({ status: res.statusCode!, headers: res.headers, body }));
    })
      .on("error", fail)
      .end();
  });

/** Writes raw bytes and reads until the connection ends. */
const raw = (url: string, text: string | Buffer) =>
  new Promise<string>((done, fail) => {
    const { port } = new URL(url);
    let got = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8").on("data", (d) => {
      got += d;
    });
    socket.on("close", () => done(got)).on("error", fail);
    socket.setTimeout(10_000, () => socket.destroy(new Error("no end")));
  });

const open = async (app: TestApp, fn: () => Promise<void>) => {
  const handlers = router(app);
  const listeners = await listen(app, handlers);
  try {
    await fn();
  } finally {
    await handlers.close();
    await listeners.close();
  }
};

verifies(
  ["rest.auth.socket", "rest.what.socket"],
  "the local socket is the administrator's, the port asks for the key",
  () =>
    withApp({ connect: false, config: { enable_socket: true } }, (app) =>
      open(app, async () => {
        const { socketPath, listenAddr } = app.boot;
        assert.equal(socketPath, join(app.dir, "mcpproxy.sock"));
        assert.equal(statSync(socketPath).mode & 0o777, 0o600);
        assert.equal((await get({ socketPath }, "/api/v1/status")).status, 200);
        assert.equal((await get({ socketPath }, "/api/v1/status", { host: "evil.example" })).status, 200);
        const url = `http://${listenAddr}`;
        assert.equal((await get({ url }, "/api/v1/status")).status, 401);
        assert.equal((await get({ url }, "/api/v1/status", { "x-api-key": TEST_KEY })).status, 200);
      }),
    ),
);

test("the socket is gone after closing, and what a killed daemon left is replaced", unix, () =>
  withApp({ connect: false, config: { enable_socket: true, listen: "127.0.0.1:0" } }, async (app) => {
    const path = join(app.dir, "mcpproxy.sock");
    const code = `require("net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
    spawnSync(process.execPath, ["-e", code]);
    assert.ok(existsSync(path));

    await open(app, async () => {
      assert.equal((await get({ socketPath: path }, "/healthz")).status, 200);
    });
    assert.ok(!existsSync(path));
  }),
);

test("a socket that somebody answers on, or a file of that name, is left alone", unix, () =>
  withApp({ connect: false, config: { enable_socket: true } }, async (app) => {
    const path = join(app.dir, "mcpproxy.sock");
    writeFileSync(path, "mine");
    await assert.rejects(
      open(app, async () => {}),
      /another file has this name/,
    );
    assert.ok(existsSync(path));
  }),
);

test("a data directory too deep for a socket is served without one, and the log says what to do", unix, async (t) => {
  const root = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const dir = join(root, "d".repeat(120));
  mkdirSync(dir);
  await withApp({ connect: false, dir, config: { enable_socket: true } }, (app) =>
    open(app, async () => {
      assert.equal(app.boot.socketPath, "");
      assert.equal((await get({ url: `http://${app.boot.listenAddr}` }, "/healthz")).status, 200);
    }),
  );
  assert.match(
    readFileSync(join(dir, "logs", "proxy.log"), "utf8"),
    /no local socket: .* bytes too long; choose a shorter/,
  );
});

test("a port in use is said, with what to do", () =>
  withApp({ connect: false }, (app) =>
    open(app, () =>
      withApp({ connect: false, config: { listen: app.boot.listenAddr } }, async (second) => {
        const error = await listen(second, { node: () => {} }).catch((e: unknown) => e);
        assert.ok(error instanceof Fault);
        assert.deepEqual([error.code, error.facts.address], ["address_in_use", app.boot.listenAddr]);
        assert.match(error.message, /--listen/);
      }),
    ),
  ));

verifies(
  ["host.loopback", "host.host-check"],
  "the port refuses foreign Host headers, on MCP too, and every refusal has an id",
  () =>
    withApp({ connect: false }, async (app) => {
      const { url, close } = await listenTest(app);
      for (const path of ["/healthz", "/mcp", "/api/v1/status"]) {
        const { status, body, headers } = await get({ url }, path, { host: "evil.example", "x-request-id": "r7" });
        assert.deepEqual([status, headers["x-request-id"]], [403, "r7"], path);
        assert.match(body, /Forbidden: invalid Host header/);
      }
      const origin = await get({ url }, "/mcp", { origin: "http://evil.example" });
      assert.equal(origin.status, 403);
      assert.match(origin.body, /Forbidden: invalid Origin header/);
      await close();
    }),
);

verifies(
  ["mcp.auth.open", "mcp.auth.required"],
  "MCP is open unless require_mcp_auth says otherwise, but a wrong credential is always refused",
  () =>
    withApp({ connect: false }, async (app) => {
      const { url, key, close } = await listenTest(app);
      const post = async (headers: Record<string, string>) => {
        const answer = await fetch(`${url}/mcp`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
        });
        return {
          status: answer.status,
          challenge: answer.headers.get("www-authenticate"),
          body: (await answer.json()) as { jsonrpc: string; error: { code: number } },
          id: answer.headers.get("x-request-id"),
        };
      };

      assert.equal((await post({})).status, 200);
      assert.ok((await post({ "x-request-id": "r1" })).id === "r1");
      for (const headers of [{ "x-api-key": "wrong" }, { authorization: "Bearer mcp_agt_00" }]) {
        const { status, challenge, body, id } = await post(headers);
        assert.equal(status, 401);
        assert.match(challenge ?? "", /^Bearer/);
        assert.deepEqual([body.jsonrpc, typeof body.error.code], ["2.0", "number"]);
        assert.ok(id);
      }
      await app.config.update((draft) => {
        draft.require_mcp_auth = true;
      }, "test");
      assert.equal((await post({})).status, 401);
      assert.equal((await post({ "x-api-key": key })).status, 200);
      await close();
    }),
);

test("what is no HTTP, or a part of it that is not supported, is refused in the same shape, with an id", () =>
  withApp({ connect: false }, async (app) => {
    const { url, close } = await listenTest(app);
    const cases: [string | Buffer, number][] = [
      ["this is not HTTP\r\n\r\n", 400],
      [`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: ${"a".repeat(70_000)}\r\n\r\n`, 431],
      ["GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400],
      [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), 400],
      ["GET /healthz HTTP/1.1\r\n\r\n", 400],
      ["POST /mcp HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", 400],
      ["CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", 405],
      ["POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 200-ok\r\n\r\n{}", 417],
      ["POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501],
    ];
    for (const [text, status] of cases) {
      const answer = await raw(url, text);
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(head, /^X-Request-Id: [0-9a-f-]{36}$/im);
      const { success, docs } = JSON.parse(body);
      assert.deepEqual([success, docs], [false, "/docs/guide/errors.html#invalid_request"]);
    }
    await close();
  }));

test("odd but legal requests get an answer", () =>
  withApp({ connect: false, config: { trusted_hosts: ["*"] } }, async (app) => {
    const { url, close } = await listenTest(app);
    const end = "Connection: close\r\n\r\n";
    const rows: [string, RegExp][] = [
      [`GET /healthz HTTP/1.0\r\n\r\n`, /^HTTP\/1.1 200/],
      [`GET /healthz HTTP/1.1\r\nHost: bad host!\r\n${end}`, /^HTTP\/1.1 200/],
      [`GET \\healthz HTTP/1.1\r\nHost: localhost\r\n${end}`, /^HTTP\/1.1 4\d\d/],
      [`GET /api/v1/status HTTP/1.1\r\nHost: [::ffff:127.0.0.1]:80\r\n${end}`, /^HTTP\/1.1 401/],
      [`GET /api/v1/status HTTP/1.1\r\nHost: a..1\r\n${end}`, /^HTTP\/1.1 401/],
      [`GET * HTTP/1.1\r\nHost: localhost\r\n${end}`, /^HTTP\/1.1 4\d\d/],
      [`GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n${end}`, /^HTTP\/1.1 400/],
      [`GET //evil/healthz HTTP/1.1\r\nHost: localhost\r\n${end}`, /^HTTP\/1.1 4\d\d/],
      [`BREW /healthz HTTP/1.1\r\nHost: localhost\r\n${end}`, /^HTTP\/1.1 4\d\d/],
      [
        `POST /api/v1/servers HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n${end}zz\r\n`,
        /^HTTP\/1.1 4\d\d/,
      ],
    ];
    for (const [text, wanted] of rows) {
      const answer = await raw(url, text);
      assert.match(answer, wanted, JSON.stringify(text));
      assert.match(answer, /x-request-id/i, JSON.stringify(text));
      if (!answer.startsWith("HTTP/1.1 200"))
        assert.match(answer, /"success":false,"error":"[^"]{10,}/, JSON.stringify(text));
    }
    await close();
  }));

test("a body that is too large is refused before it has arrived", () =>
  withApp({ connect: false }, async (app) => {
    const { url, close } = await listenTest(app);
    const head = `POST /api/v1/servers HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${TEST_KEY}\r\nContent-Type: application/json\r\n`;
    assert.match(await raw(url, `${head}Content-Length: 900000000\r\n\r\n{`), /^HTTP\/1.1 413/);
    assert.match(
      await raw(url, `${head}Transfer-Encoding: chunked\r\n\r\n200000\r\n${"x".repeat(0x200000)}\r\n`),
      /^HTTP\/1.1 413/,
    );
    await close();
  }));

test("draining lets answers under way finish and takes no new connections", () =>
  withApp({ connect: false }, async (app) => {
    let finish: (() => void) | undefined;
    const listeners = await listen(app, {
      node(req, res) {
        if (req.url === "/slow") finish = () => res.end("done");
        else res.end();
      },
    });
    const url = `http://${app.boot.listenAddr}`;
    const slow = get({ url }, "/slow");
    await until("it is asked", () => finish !== undefined);

    let drained = false;
    const draining = listeners.drain(5000).then(() => {
      drained = true;
    });
    const isRefused = () =>
      get({ url }, "/late").then(
        () => false,
        () => true,
      );
    await until("it takes no new connections", isRefused);
    assert.equal(drained, false);
    finish?.();

    assert.equal((await slow).body, "done");
    await draining;
    await listeners.close();
  }));

test("draining answers requests that have arrived but are not read yet, on used, unused and new connections", () =>
  withApp({ connect: false }, async (app) => {
    const listeners = await listen(app, {
      node: (_, res) => void res.end("done"),
      posts: { takes: () => true, answer: ({ response }) => sendJson(response, 200, "done", []) },
    });
    const { hostname, port } = new URL(`http://${app.boot.listenAddr}`);
    const opened = () => {
      const client = { socket: connect(Number(port), hostname), got: "" };
      client.socket.setEncoding("utf8").on("data", (text) => (client.got += text));
      client.socket.on("error", () => undefined);
      return client;
    };
    const answers = ({ got }: { got: string }) => got.match(/HTTP\/1\.1 200 OK\r/g)?.length ?? 0;
    const requests = ["GET", "POST"].map((method) => `${method} / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`);
    const used = requests.map(opened);
    for (const [i, request] of requests.entries()) used[i]!.socket.write(request);
    const unused = requests.map(opened);
    await until("they are answered and connected", () =>
      [...used.map(answers), ...unused.map(({ socket }) => Number(!socket.connecting))].every((n) => n === 1),
    );

    const clients = [...used, ...unused, ...requests.map(opened)];
    for (const [i, { socket }] of clients.entries()) socket.write(requests[i % requests.length]!);
    await listeners.drain(5000);
    await listeners.close();

    await until("all are closed", () => clients.every(({ socket }) => socket.closed));
    assert.deepEqual(clients.map(answers), [2, 2, 1, 1, 1, 1]);
  }));

test("a retired listener answers as before, and asks clients to close the connection", () =>
  withApp({ connect: false }, async (app) => {
    const listeners = await listen(app, { node: (_, res) => void res.end("done") });
    const url = `http://${app.boot.listenAddr}`;
    const before = (await fetch(url)).headers.get("connection");

    listeners.retire();
    const after = await fetch(url);

    assert.deepEqual([before, after.headers.get("connection"), await after.text()], ["keep-alive", "close", "done"]);
    await listeners.close();
  }));

test("draining ends after its grace, and closing cuts what is left", () =>
  withApp({ connect: false }, async (app) => {
    let asked = false;
    const listeners = await listen(app, {
      node() {
        asked = true;
      },
    });
    const stuck = get({ url: `http://${app.boot.listenAddr}` }, "/stuck").then(
      () => "answered",
      () => "cut",
    );
    await until("it is asked", () => asked);

    await listeners.drain(50);
    await listeners.close();

    assert.equal(await stuck, "cut");
  }));

test("a start on an address that others reach warns, naming the setting that closes it, and others do not warn", async () => {
  const rows: [listen: string, require_mcp_auth: boolean, warned: boolean][] = [
    ["0.0.0.0:0", false, true],
    ["0.0.0.0:0", true, false],
    ["127.0.0.1:0", false, false],
  ];
  for (const [address, require_mcp_auth, warned] of rows)
    await withApp(
      { connect: false, config: { listen: address, require_mcp_auth, enable_socket: false } },
      async (app) => {
        const log = heardLog("warn");
        const listeners = await listen({ ...app, log }, { node: () => undefined });
        await listeners.close();
        assert.equal(
          /WARN.*require_mcp_auth: true/.test(log.lines.join("\n")),
          warned,
          JSON.stringify([address, log.lines]),
        );
      },
    );
});

test("a client that takes nothing of its response is disconnected and logged; one that waits for its response is not", () =>
  withApp({ connect: false }, async (app) => {
    const log = heardLog("warn");
    const responses = new Map<string, ServerResponse | PostResponse>();
    const answer = (path: string, res: ServerResponse | PostResponse) => {
      responses.set(path, res);
      if (path === "/waits") return;
      res.writeHead(200, ["content-type", "text/plain"]);
      res.write(Buffer.alloc(32 << 20));
    };
    const listeners = await listen(
      { ...app, log },
      {
        node: (req, res) => answer(req.url!, res),
        posts: { takes: () => true, answer: ({ target, response }) => answer(target, response as PostResponse) },
        stallTimeoutMs: 200,
      },
    );
    const clients = ["GET /large", "GET /waits", "POST /large-post"].map((line) => {
      const client = connect(Number(new URL(`http://${app.boot.listenAddr}`).port), "127.0.0.1");
      client.on("error", () => undefined).pause();
      client.write(`${line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
      return client;
    });

    const stalled = () => log.lines.filter((line) => line.includes("it stopped reading")).length;
    const isOpen = (path: string) => responses.get(path)?.destroyed === false;
    await until(
      "both are logged and disconnected",
      () => stalled() === 2 && !isOpen("/large") && !isOpen("/large-post"),
    );
    assert.ok(isOpen("/waits"));

    for (const client of clients) client.destroy();
    await listeners.close();
  }));
