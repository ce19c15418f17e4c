import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { systemClock } from "#lib/core/base/clock.ts";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import { callTool, type TestUpstreamsOptions, testUpstreams, textOf, until } from "#test/kit/upstream.ts";

const NEW = "2026-07-28";
const OLD = "2025-11-25";
const dir = mkdtempSync(join(tmpdir(), "proxy-"));
after(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;

type Entry = TestUpstreamsOptions["servers"][number];

/** A server of `upstream-odd.mjs`, and what it was sent at each of its starts. */
function odd(habit: string, more: Partial<ServerConfig> = {}) {
  const file = join(dir, `odd-${++files}`);
  const entry: Entry = {
    name: "one",
    command: process.execPath,
    args: ["test/programs/upstream-odd.mjs", habit, file],
    ...more,
  };
  const starts = () =>
    readFileSync(file, "utf8")
      .split("start\n")
      .slice(1)
      .map((text) => text.split("\n").filter((line) => line === "initialize" || line === "server/discover"));
  return { entry, starts };
}

/** Connects to one server for as long as `body` takes; `meta` is what outlives the program. */
async function connected(
  entry: Entry,
  meta: Map<string, unknown>,
  body: (all: ReturnType<typeof testUpstreams>) => Promise<void>,
  more: Partial<TestUpstreamsOptions> = {},
) {
  const kept = {
    get: (key: string) => meta.get(key),
    set: async (key: string, value: unknown) => void meta.set(key, value),
  };
  const all = testUpstreams({ servers: [entry], meta: kept, ...more });
  try {
    await body(all);
  } finally {
    await all.close();
  }
}
type All = ReturnType<typeof testUpstreams>;

const settled = async (all: All) => {
  const one = all.upstream("one");
  await until("connected, or not", () => ["Ready", "Error"].includes(one.status().state));
  return one.status();
};

const P = "server/discover";
const I = "initialize";
/** Short, so that silence is noticed after 2 s. */
const SHORT = { init_timeout: "4s" };

/** A clock by which 5 s of silence are never over: what is connected then did not wait for that. */
const patient = {
  ...systemClock,
  after: (ms: number, fn: () => void) => (ms === 5000 ? () => {} : systemClock.after(ms, fn)),
};

/** What a server is sent at each start, the first time and the next time it is connected to. */
const STDIO: [habit: string, version: string, first: string[][], next: string[][], more?: Partial<ServerConfig>][] = [
  ["exit", OLD, [[P], [I]], [[I]]],
  ["exit-slow", OLD, [[P], [I]], [[I]]],
  ["silent", OLD, [[P, I]], [[I]], SHORT],
  ["garbage", OLD, [[P, I]], [[I]], SHORT],
  ["no-id", OLD, [[P, I]], [[I]]],
  ["text-id", OLD, [[P, I]], [[I]]],
  ["spoilt", OLD, [[P, I], [I]], [[I]]],
  ["other-result", OLD, [[P, I]], [[I]]],
  ["old-versions", OLD, [[P, I]], [[I]]],
  ["refuses-once", NEW, [[P, P]], [[P, P]]],
  ["late", NEW, [[P, I], [P]], [[P]], { init_timeout: "5s" }],
  ["late-only", NEW, [[P, I], [P]], [[P]], { init_timeout: "5s" }],
];

for (const [habit, version, first, next, more] of STDIO)
  test(`stdio: a server that answers server/discover in its own way is reached: ${habit}`, async () => {
    const { entry, starts } = odd(habit, more);
    const meta = new Map<string, unknown>();
    const clock = more === undefined ? patient : systemClock;

    await connected(
      entry,
      meta,
      async (all) => {
        const status = await settled(all);
        assert.equal(status.protocolVersion, version, status.lastError);
        assert.equal(textOf(await callTool(all.upstream("one"), "hi")), "hi");
      },
      { clock },
    );
    assert.deepEqual(starts(), first);

    await connected(entry, meta, async (all) => {
      assert.equal((await settled(all)).protocolVersion, version);
    });
    assert.deepEqual(starts().slice(first.length), next);
  });

test("stdio: a server without a common protocol version is an error that names its versions", async () => {
  const { entry, starts } = odd("future");
  await connected(entry, new Map(), async (all) => {
    const { lastError } = await settled(all);

    assert.equal(lastError, "it supports the protocol versions 2099-01-01, none of which the proxy supports");
    assert.deepEqual(starts(), [[P]]);
  });
});

test("stdio: a program that always ends is started twice by the first attempt only, and nothing is remembered", async () => {
  const { entry, starts } = odd("dead");
  const meta = new Map<string, unknown>();
  await connected(entry, meta, async (all) => {
    await until("two attempts", () => all.upstream("one").status().attempts === 2);

    assert.deepEqual(starts().slice(0, 3), [[P], [I], [I]]);
  });
  assert.deepEqual([...meta.values()], []);
});

test("stdio: a protocol version that turns out to be wrong is corrected", async () => {
  const { entry, starts } = odd("late-only");
  const meta = new Map<string, unknown>();
  await connected(entry, meta, async (all) => void (await settled(all)));
  await connected(entry, meta, async (all) => void (await settled(all)));
  const stored = meta.get("upstream.protocol_versions") as { one: { family: string } };
  const before = starts().length;
  stored.one.family = "2025";

  for (let i = 0; i < 2; i++)
    await connected(entry, meta, async (all) => {
      assert.equal((await settled(all)).protocolVersion, NEW);
    });

  assert.deepEqual(starts().slice(before), [[I, P], [P]]);
});

test("stdio: a server that needs longer than silence lasts is reached by the second attempt at the latest", async () => {
  const { entry, starts } = odd("late-always", { init_timeout: "2s" });
  await connected(entry, new Map(), async (all) => {
    const one = all.upstream("one");
    await until("ready", () => one.status().state === "Ready", 60_000);

    assert.equal(one.status().protocolVersion, NEW);
    assert.ok(starts().length >= 3);
  });
});

type Reply = (response: ServerResponse, id: unknown) => void;
const json =
  (status: number, body: object, headers: Record<string, string> = {}): Reply =>
  (response, id) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
const bare =
  (status: number, text = "", type = "text/plain"): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": type }).end(text);
const error = (status: number, code: number, data?: object) =>
  json(status, { error: { code, message: "x", ...(data && { data }) } });
const legacy = json(200, {
  result: { protocolVersion: OLD, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } },
});
const modern = json(200, {
  result: {
    resultType: "complete",
    supportedVersions: [NEW],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
  },
});
const silent: Reply = () => {};

interface Seen {
  method: string;
  rpc: string | undefined;
  headers: IncomingHttpHeaders;
}

/** A server that gives these answers to `server/discover` and to `initialize`. */
async function answering(discover: Reply, initialize: Reply) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const message = body === "" ? {} : JSON.parse(body);
    seen.push({ method: request.method!, rpc: message.method, headers: request.headers });
    if (request.method !== "POST") return void response.writeHead(405).end();
    if (message.method === P) return discover(response, message.id);
    if (message.method === I) return initialize(response, message.id);
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method === "tools/list") return json(200, { result: { tools: [] } })(response, message.id);
    error(200, -32601)(response, message.id);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen, close };
}

/** The answers, the version spoken or the failure, what is sent first, and what at the next connection. */
const HTTP: [
  what: string,
  discover: Reply,
  initialize: Reply,
  outcome: string | RegExp,
  first: string[],
  next?: string[],
][] = [
  ["200 -32601", error(200, -32601), legacy, OLD, [P, I], [I]],
  ["404 -32601", error(404, -32601), legacy, OLD, [P, I], [I]],
  ["400 -32600", error(400, -32600), legacy, OLD, [P, I], [I]],
  ["400 -32000, no session", error(400, -32000), legacy, OLD, [P, I], [I]],
  ["400 empty", bare(400), legacy, OLD, [P, I], [I]],
  ["404 empty", bare(404), legacy, OLD, [P, I], [I]],
  ["405", bare(405), legacy, OLD, [P, I], [I]],
  ["415", bare(415), legacy, OLD, [P, I], [I]],
  ["200 HTML", bare(200, "<html>", "text/html"), legacy, OLD, [P, I], [I]],
  ["202 empty", bare(202), legacy, OLD, [P, I], [I]],
  ["200 of another kind", json(200, { result: {} }), legacy, OLD, [P, I], [I]],
  ["200 error without an id", (r) => error(200, -32600)(r, null), legacy, OLD, [P, I], [I]],
  ["modern", modern, legacy, NEW, [P], [P]],
  ["modern only, initialize 400 -32020", modern, error(400, -32020), NEW, [P], [P]],
  ["-32022 with the version", error(400, -32022, { supported: [NEW] }), legacy, /refused|HTTP 400/, [P, P], [P, P]],
  ["-32022 with older ones", error(400, -32022, { supported: [OLD] }), legacy, OLD, [P, I], [I]],
  ["-32022 with unknown ones", error(400, -32022, { supported: ["2099-01-01"] }), legacy, /2099-01-01/, [P]],
  ["401", bare(401), legacy, /sign-in/, [P], [P]],
  ["403, initialize works", bare(403), legacy, OLD, [P, I], [P, I]],
  ["403 both", bare(403), bare(403), /HTTP 403/, [P, I], [P, I]],
  ["429", bare(429), legacy, /HTTP 429/, [P], [P]],
  ["500, initialize works", bare(500), legacy, OLD, [P, I], [P, I]],
  ["503 both", bare(503), bare(503), /HTTP 503/, [P, I], [P, I]],
  ["silent, initialize works", silent, legacy, OLD, [P, I], [I]],
  ["breaks off", (response) => response.destroy(), legacy, OLD, [P, I], [P, I]],
];

for (const [what, discover, initialize, outcome, first, next] of HTTP)
  test(`HTTP: what follows from the answer to server/discover: ${what}`, async () => {
    const server = await answering(discover, initialize);
    const entry: Entry = {
      name: "one",
      url: server.url,
      protocol: "streamable-http",
      ...(what.startsWith("silent") && SHORT),
    };
    const meta = new Map<string, unknown>();
    const sent = () => server.seen.flatMap(({ rpc }) => (rpc === P || rpc === I ? [rpc] : []));
    try {
      await connected(entry, meta, async (all) => {
        const { protocolVersion, lastError } = await settled(all);
        if (typeof outcome === "string") assert.equal(protocolVersion, outcome, lastError);
        else assert.match(lastError!, outcome);
      });
      assert.deepEqual(sent(), first);

      if (!next) return;
      await connected(entry, meta, async (all) => void (await settled(all)));
      assert.deepEqual(sent().slice(first.length), next);
    } finally {
      server.close();
    }
  });

test("HTTP: a session that a server opens for the probe is not used, and is ended", async () => {
  const refused = json(400, { error: { code: -32600, message: "x" } }, { "mcp-session-id": "probe-session" });
  const server = await answering(refused, legacy);
  try {
    await connected({ name: "one", url: server.url, headers: { "x-key": "k" } }, new Map(), async (all) => {
      assert.equal((await settled(all)).state, "Ready");
      await until("its end", () => server.seen.some(({ method }) => method === "DELETE"));
    });

    const ended = server.seen.find(({ method }) => method === "DELETE");
    assert.equal(ended?.headers["mcp-session-id"], "probe-session");
    assert.equal(ended?.headers["x-key"], "k");
    for (const { method, headers } of server.seen)
      if (method !== "DELETE") assert.equal(headers["mcp-session-id"], undefined);
  } finally {
    server.close();
  }
});

test("HTTP: a server that has lost its newer version is spoken to in the older one, and the other way round", async () => {
  let discover: Reply = modern;
  let initialize: Reply = error(400, -32020);
  const server = await answering(
    (response, id) => discover(response, id),
    (response, id) => initialize(response, id),
  );
  const entry: Entry = { name: "one", url: server.url };
  const meta = new Map<string, unknown>();
  const version = async () => {
    let spoken: string | undefined;
    await connected(entry, meta, async (all) => {
      spoken = (await settled(all)).protocolVersion;
    });
    return spoken;
  };
  try {
    assert.equal(await version(), NEW);
    [discover, initialize] = [error(400, -32000), legacy];
    assert.equal(await version(), OLD);
    [discover, initialize] = [modern, error(400, -32020)];
    assert.equal(await version(), NEW);
  } finally {
    server.close();
  }
});

test("HTTP: a remembered version that does not work any more is forgotten, so that the next attempt probes", async () => {
  const server = await answering(modern, error(400, -32600));
  const entry: Entry = { name: "one", url: server.url, protocol: "streamable-http" };
  const meta = new Map<string, unknown>();
  try {
    await connected(entry, meta, async (all) => void (await settled(all)));
    (meta.get("upstream.protocol_versions") as { one: { family: string } }).one.family = "2025";

    await connected(entry, meta, async (all) => {
      const one = all.upstream("one");
      await until("the second attempt", () => one.status().state === "Ready");
      assert.equal(one.status().protocolVersion, NEW);
    });

    assert.deepEqual(
      server.seen.flatMap(({ rpc }) => (rpc === P || rpc === I ? [rpc] : [])),
      [P, I, P],
    );
  } finally {
    server.close();
  }
});

test("HTTP: a failure that passes does not make a remembered version forgotten", async () => {
  let initialize: Reply = legacy;
  const server = await answering(error(200, -32601), (response, id) => initialize(response, id));
  const entry: Entry = { name: "one", url: server.url, protocol: "streamable-http" };
  const meta = new Map<string, unknown>();
  try {
    await connected(entry, meta, async (all) => void (await settled(all)));
    for (const reply of [bare(503), bare(401), bare(429)]) {
      initialize = reply;
      await connected(entry, meta, async (all) => assert.equal((await settled(all)).state, "Error"));
    }

    const stored = meta.get("upstream.protocol_versions") as { one: { family: string } };
    assert.equal(stored.one.family, "2025");
  } finally {
    server.close();
  }
});
