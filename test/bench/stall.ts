import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Fleet, ODD, startFleet } from "./stall/fleet.ts";
import { type Answer, type Measured, type Stalls, startMeasured, type When } from "./stall/proxy.ts";
import { layOldRecords, layRecords, RECORDS } from "./stall/records.ts";

/**
 * The worst stall of a running proxy: `npm run bench -- stall [row…]`. Each row starts what it needs and does one thing
 * to it; docs/internals/performance.md has the table. STALL_PROFILE=1 says what a stall was made of.
 */
export async function benchStall(wanted: readonly string[] = []): Promise<Record<string, Stalls>> {
  const node = execFileSync(process.execPath, ["build/bare-node.mjs"], { encoding: "utf8" }).trim();
  const out: Record<string, Stalls> = {};
  for (const { begin, rows } of FIXTURES) {
    const names = Object.keys(rows).filter((row) => wanted.length === 0 || wanted.some((one) => row.startsWith(one)));
    if (names.length === 0) continue;
    const { proxy, end } = await begin(node);
    try {
      for (const name of names) {
        const { work, ...when } = rows[name]!;
        out[name] = await proxy.measure(() => work(proxy), when);
        console.error(name.padEnd(20), JSON.stringify(out[name]));
      }
    } finally {
      await proxy.stop();
      end();
    }
  }
  return out;
}

interface Fixture {
  begin(node: string): Promise<{ proxy: Measured; end(): void }>;
  rows: Record<string, Row>;
}

interface Row extends When {
  work(proxy: Measured): Promise<string | undefined>;
}

const MINUTE_MS = 60_000;
/** Tools of `test/programs/upstream-stdio.mjs`. */
const PROGRAM_TOOLS = 19;
const trusted = { enabled: true, quarantined: false, trust_mode: "auto" };
const program = {
  name: "stdio",
  command: process.execPath,
  args: [resolve("test/programs/upstream-stdio.mjs")],
  ...trusted,
};
const noted = (answers: readonly Answer[]) =>
  answers
    .map(({ status, bytes, text }) => {
      const failed = status >= 400 || text.includes('"isError":true') || text.includes('"error":');
      return `${status} ${Math.round(bytes / 1000)} kB${failed ? ` ${text.slice(0, 150)}` : ""}`;
    })
    .join(", ");
const get =
  (...paths: string[]): Row["work"] =>
  async (proxy) => {
    const answers = [];
    for (const path of paths) answers.push(await proxy.rest("GET", path));
    return noted(answers);
  };
/** Like `get`, five times each, with the median time. */
const timed =
  (...paths: string[]): Row["work"] =>
  async (proxy) => {
    const texts = [];
    for (const path of paths) {
      const answers = [];
      const times = [];
      for (let i = 0; i < 5; i++) {
        const began = performance.now();
        answers.push(await proxy.rest("GET", path));
        times.push(performance.now() - began);
      }
      times.sort((a, b) => a - b);
      texts.push(`${noted(answers.slice(-1))} in ${Math.round(times[2]!)} ms`);
    }
    return texts.join(", ");
  };
const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** What the first request loads and compiles, such as Node's own `fetch` (20 ms), is a matter of the start. */
async function warmUp(proxy: Measured): Promise<void> {
  for (let i = 0; i < 50; i++) await proxy.rest("GET", "/api/v1/servers");
}

/** Waits until so many tools are known. */
async function listed(proxy: Measured, tools: number): Promise<string> {
  for (;;) {
    const { text } = await proxy.rest("GET", "/api/v1/status");
    const total = Number(/"total_tools":(\d+)/.exec(text)?.[1] ?? 0);
    if (total >= tools) return `${total} tools`;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Many servers at once, from the proxy's first answer on. */
function fleet(label: string, servers: number, toolsEach: number): Fixture {
  const rows: Record<string, Row> = {
    [`connect-${label}`]: {
      atOnce: true,
      async work(proxy) {
        const found = await listed(proxy, servers * toolsEach);
        await proxy.quiet();
        return found;
      },
    },
    [`tools-first-${label}`]: { work: get("/api/v1/tools") },
    [`panel-${label}`]: {
      work: get(
        "/api/v1/servers",
        "/api/v1/tools",
        "/api/v1/status",
        "/api/v1/activity?limit=50",
        "/api/v1/activity/summary?period=24h",
        "/api/v1/doctor",
      ),
    },
    [`pages-${label}`]: { work: timed("/api/v1/servers?limit=50", "/api/v1/tools?limit=50") },
    [`search-${label}`]: { work: timed("/api/v1/index/search?q=restore%20an%20invoice&limit=20") },
    [`list-${label}`]: { work: async (proxy) => noted([await proxy.mcp("/mcp/all", rpc("tools/list"))]) },
    [`lock-${label}`]: { work: get("/api/v1/lock") },
    [`unknown-${label}`]: {
      work: async (proxy) =>
        noted([
          await proxy.mcp(
            "/mcp",
            rpc("tools/call", {
              name: "call_tool_read",
              arguments: { name: "server-7:creat_invoise_7", intent: { operation_type: "read" } },
            }),
          ),
        ]),
    },
  };
  return {
    rows,
    async begin(node) {
      const upstreams = await startFleet(toolsEach);
      const mcpServers = serversOf(upstreams, servers);
      return { proxy: await startMeasured(node, { mcpServers }), end: upstreams.close };
    },
  };
}

function serversOf(upstreams: Fleet, count: number) {
  return Array.from({ length: count }, (_, i) => ({
    name: `server-${i}`,
    url: upstreams.url(i),
    protocol: "streamable-http",
    ...trusted,
  }));
}

/** A second start, with the tools in the database and the servers connecting again. */
const restart: Fixture = {
  rows: {
    "restart-10k": {
      atOnce: true,
      async work(proxy) {
        const { status } = await proxy.rest("GET", "/api/v1/index/search?q=restore%20an%20invoice&limit=20");
        const ms = Math.round(performance.now() - proxy.startedAt);
        await proxy.quiet();
        return `first search ${ms} ms after the start: ${status}`;
      },
    },
  },
  async begin(node) {
    const upstreams = await startFleet(50);
    const config = { mcpServers: serversOf(upstreams, 200) };
    const prepare = async (usedDir: string) => {
      const first = await startMeasured(node, config, { usedDir });
      await listed(first, 10_000);
      await first.quiet();
      await first.stop();
    };
    const proxy = await startMeasured(node, config, { prepare });
    return { proxy, end: upstreams.close };
  },
};

/** A call of a tool of a server. */
function called(server: string, args: object = {}, tool = "call"): string {
  const intent = { operation_type: "destructive" };
  return rpc("tools/call", { name: "call_tool_destructive", arguments: { name: `${server}:${tool}`, args, intent } });
}

/** Enables a server and waits until all of its texts have been read. */
const listing = (name: keyof typeof ODD): Row => ({
  async work(proxy) {
    await proxy.rest("POST", `/api/v1/servers/${name}/enable`);
    await proxy.quiet();
    const { text } = await proxy.rest("GET", `/api/v1/servers/${name}`);
    return /"tool_count":\d+|"last_error":"[^"]{0,100}/.exec(text)?.[0];
  },
});

const calling = (name: keyof typeof ODD): Row => ({
  work: async (proxy) => noted([await proxy.mcp("/mcp", called(name))]),
});

const odd: Fixture = {
  rows: {
    nothing: { work: get("/api/v1/status", "/api/v1/servers") },
    "answer-plain": calling("plain"),
    "answer-error": calling("error"),
    "answer-text": calling("text"),
    "answer-structured": calling("structured"),
    "answer-deep": calling("deep"),
    "answer-40mb": calling("huge"),
    "answer-stdio-10mb": {
      work: async (proxy) => noted([await proxy.mcp("/mcp", called("stdio", { kb: 10_000 }, "big"))]),
    },
    "lists-wide": listing("wide"),
    "lists-described": listing("described"),
    "lists-texts": listing("texts"),
    "keys-450k": {
      laterMs: MINUTE_MS,
      work: async (proxy) => {
        const keys = Array.from({ length: 450_000 }, (_, i) => `"k${i}":${i}`).join(",");
        const message = called("plain", { what: 0 }).replace('"what":0', keys);
        return noted([await proxy.mcp("/mcp", message)]);
      },
    },
    "calls-40x15mb": {
      laterMs: MINUTE_MS,
      work: async (proxy) => {
        const what = "x".repeat(15 * 1000 * 1000);
        const message = rpc("tools/call", {
          name: "call_tool_read",
          arguments: { name: "plain:call", args: { what } },
        });
        const all = await Promise.all(
          Array.from({ length: 40 }, () =>
            proxy.mcp("/mcp", message).catch(({ code }) => ({ status: code, bytes: 0 })),
          ),
        );
        const counts = new Map<number, number>();
        for (const { status } of all) counts.set(status, (counts.get(status) ?? 0) + 1);
        return [...counts].map(([status, n]) => `${n} × ${status}`).join(", ");
      },
    },
  },
  async begin(node) {
    const upstreams = await startFleet();
    const large = ["wide", "described", "texts"];
    const mcpServers = (Object.keys(ODD) as (keyof typeof ODD)[]).map((name) => ({
      name,
      url: upstreams.url(name),
      protocol: "streamable-http",
      ...trusted,
      enabled: !large.includes(name),
    }));
    const proxy = await startMeasured(node, { mcpServers: [...mcpServers, program] });
    await listed(proxy, mcpServers.length - large.length + PROGRAM_TOOLS);
    await warmUp(proxy);
    for (let i = 0; i < 50; i++) await proxy.mcp("/mcp", called("plain"));
    return { proxy, end: upstreams.close };
  },
};

/** The client that started the proxy and speaks to it over pipes, with large messages. */
const stdio: Fixture = {
  rows: {
    "stdio-request-10mb": {
      work: async (proxy) => noted([await proxy.line(called("plain", { what: "word ".repeat(2_000_000) }))]),
    },
    "stdio-answer-10mb": {
      work: async (proxy) => noted([await proxy.line(called("stdio", { kb: 10_000 }, "big"))]),
    },
  },
  async begin(node) {
    const upstreams = await startFleet();
    const plain = { name: "plain", url: upstreams.url("plain"), protocol: "streamable-http", ...trusted };
    const proxy = await startMeasured(node, { mcpServers: [plain, program] }, { stdio: true });
    await listed(proxy, 1 + PROGRAM_TOOLS);
    await warmUp(proxy);
    const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
    await proxy.line(rpc("initialize", client));
    for (let i = 0; i < 50; i++) await proxy.line(called("plain"));
    return { proxy, end: upstreams.close };
  },
};

const unlimited = { activity_max_records: 0, activity_max_size_mb: 0, activity_retention_days: 0 };

/** The first start after an upgrade from a release without sums: a million records are added up in the background. */
const migration: Fixture = {
  rows: {
    "migration-1m": {
      atOnce: true,
      async work(proxy) {
        const ms = Math.round(performance.now() - proxy.startedAt);
        const lastWrite = await written(proxy.dir);
        const seconds = Math.round((lastWrite - Date.now() + performance.now() - proxy.startedAt) / 1000);
        return `answers after ${ms} ms, all sums after ${seconds} s`;
      },
    },
  },
  async begin(node) {
    return { proxy: await startMeasured(node, unlimited, { prepare: layOldRecords }), end: () => {} };
  },
};

/** Waits until the database has not been written for three seconds. @returns the time of the last write (ms) */
async function written(dir: string): Promise<number> {
  for (;;) {
    await new Promise((done) => setTimeout(done, 500));
    const { mtimeMs } = statSync(join(dir, "proxy.db-wal"));
    if (Date.now() - mtimeMs > 3000) return mtimeMs;
  }
}

const records: Fixture = {
  rows: {
    "records-list": { work: get("/api/v1/activity?limit=50", "/api/v1/activity?limit=50&offset=50000") },
    "records-none": { work: get("/api/v1/activity?tool=nothing-of-this-name") },
    "records-some": { work: get("/api/v1/activity?server=s7&status=error") },
    "records-summary": { work: get("/api/v1/activity/summary?period=30d") },
    "records-summary-24h": { work: get("/api/v1/activity/summary?period=24h") },
    "records-usage": { work: get("/api/v1/activity/usage?window=all") },
    "records-export": { work: get("/api/v1/activity/export?format=json") },
    "records-retention": {
      async work(proxy) {
        await proxy.rest("PATCH", "/api/v1/config", { activity_max_records: RECORDS / 2 });
        await proxy.quiet();
        return undefined;
      },
    },
  },
  async begin(node) {
    const proxy = await startMeasured(node, unlimited, { prepare: layRecords });
    await warmUp(proxy);
    return { proxy, end: () => {} };
  },
};

const FIXTURES: readonly Fixture[] = [
  odd,
  stdio,
  records,
  migration,
  fleet("10k", 200, 50),
  restart,
  fleet("100k", 1000, 100),
];
