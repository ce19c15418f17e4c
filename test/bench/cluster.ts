import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "#lib/modules/cluster/database.ts";
import { databaseTarget } from "#lib/modules/cluster/database-target.ts";
import { createFinalRecords } from "#lib/modules/cluster/store/final-records.ts";
import { createSharedActivitySums } from "#lib/modules/cluster/store/shared-activity-sums.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "#test/kit/postgres.ts";
import { type CallsEffort, ratios, type Way } from "./calls.ts";
import { processFacts } from "./load.ts";
import { httpServer, KEY, type Stop, startProgram, startProxy } from "./programs.ts";
import { startFleet } from "./stall/fleet.ts";

const EFFORT: CallsEffort = {
  warmUp: Number(process.env.BENCH_WARM_UP ?? 10_000),
  rounds: Number(process.env.BENCH_ROUNDS ?? 9),
  calls: { 1: 600, 16: 3000 },
  stdio: false,
  peers: false,
};
const SERVERS = Number(process.env.BENCH_SERVERS ?? 1000);
const TOOLS_EACH = 100;
const RECORDS = Number(process.env.BENCH_RECORDS ?? 10_000_000);
const DAYS = 10;
const DAY_MS = 86_400_000;
const ASKED = 5;

/**
 * What a replica of a cluster costs: a call beside that of a single proxy, and start, search and lists with many servers,
 * tools and records. `-- cluster cost` or `-- cluster size` measures one of them.
 */
export async function benchCluster(rows: readonly string[]) {
  if (!postgresPrograms) return { skipped: "needs PostgreSQL" };
  const stop: Stop[] = [];
  const server = await startPostgres((end) => void stop.push(async () => void (await end())));
  const both = rows.length === 0;
  try {
    return {
      ...((both || rows.includes("cost")) && { cost: await cost(server) }),
      ...((both || rows.includes("size")) && { size: await size(server) }),
    };
  } finally {
    for (const end of stop) await end();
  }
}

function clusterSettings(url: string) {
  return { cluster: { database_url: url, encryption_keys: [randomBytes(32).toString("base64")], stop_delay: "0s" } };
}

/**
 * Processor time and latency of a call beside the same call through a single proxy, which is called `relay` here.
 *
 * `BENCH_BEFORE=/path/to/proxy.cjs` takes a replica of another bundle into the comparison, such as that of the commit before.
 */
async function cost(server: PostgresServer) {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const node = execFileSync(process.execPath, ["build/bare-node.mjs"], { encoding: "utf8" }).trim();
    const way = async (settings: object, bundle = "dist/proxy.cjs"): Promise<Way> => {
      const folder = mkdtempSync(join(dir, "proxy-"));
      const { url, pid } = await startProxy({
        dir: folder,
        servers: [httpServer("http", upstream.url)],
        stop,
        settings,
        program: [node, bundle],
      });
      const params = { name: "http__echo", arguments: { message: "hello" } };
      return { target: { url: `${url}/mcp/all`, headers: { "x-api-key": KEY }, params }, pid };
    };
    const replica = (bundle?: string) => way(clusterSettings(server.database()), bundle);
    const { BENCH_BEFORE } = process.env;
    const before = BENCH_BEFORE ? { before: await replica(BENCH_BEFORE) } : {};
    return await ratios({ relay: await way({}), replica: await replica(), ...before }, EFFORT);
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}

async function size(server: PostgresServer) {
  const stop: Stop[] = [];
  const url = server.database();
  // Otherwise the records would be swept meanwhile.
  const settings = { ...clusterSettings(url), activity_max_records: 0, activity_max_size_mb: 0 };
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  const fleet = await startFleet(TOOLS_EACH);
  try {
    // Makes the tables.
    await startProxy({ dir: mkdtempSync(join(dir, "first-")), servers: [], stop, settings });
    await Promise.all(stop.splice(0).map((end) => end()));
    const fillMs = await timed(async () => fill(server, url));
    const sumsMs = await timed(() => addUp(url));
    const servers = Array.from({ length: SERVERS }, (_, i) => httpServer(`server-${i}`, fleet.url(i)));
    // The configuration is in the database already, so the servers are added to it there.
    server.psql("update configuration set gone = true, document = '{}', rev = rev + 1", new URL(url).pathname.slice(1));
    const proxy = { url: "", pid: 0 };
    const firstStartMs = await timed(async () =>
      Object.assign(proxy, await startProxy({ dir: mkdtempSync(join(dir, "a-")), servers, stop, settings })),
    );
    const again = { url: "", pid: 0 };
    const nextStartMs = await timed(async () =>
      Object.assign(again, await startProxy({ dir: mkdtempSync(join(dir, "b-")), servers, stop, settings })),
    );
    const get = (path: string) => median(() => read(`${again.url}${path}`));
    return {
      servers: SERVERS,
      tools: SERVERS * TOOLS_EACH,
      records: RECORDS,
      fill_ms: fillMs,
      sums_ms: sumsMs,
      database_mb: Number(server.psql("select pg_database_size(current_database()) / 1048576", databaseOf(url))),
      first_start_ms: firstStartMs,
      next_start_ms: nextStartMs,
      rss_mb: processFacts(again.pid).rss_mb,
      search_ms: await get("/api/v1/index/search?q=archive+invoice+of+workspace+77&limit=15"),
      tools_page_ms: await get("/api/v1/tools?limit=50"),
      servers_page_ms: await get("/api/v1/servers?limit=50"),
      ...(await activityFigures(again.url)),
      summary_day_first_ms: await timed(() => read(`${again.url}/api/v1/activity/summary?period=24h`)),
      summary_day_ms: await get("/api/v1/activity/summary?period=24h"),
      usage_all_first_ms: await timed(() => read(`${again.url}/api/v1/activity/usage?window=all`)),
      usage_all_ms: await get("/api/v1/activity/usage?window=all"),
      panel_ms: await get("/ui/"),
      status_ms: await get("/api/v1/status"),
      // Nothing was removed meanwhile.
      records_at_the_end: Number(server.psql("select count(*) from activity", databaseOf(url))),
    };
  } finally {
    await Promise.all(stop.map((end) => end()));
    fleet.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Queries of the list of activity, in the order in which they are asked. */
const LISTS = {
  page: "",
  last_page: `&offset=${RECORDS - 50}`,
  of_type: "&type=tool_call",
  of_server: "&server=server-7",
  of_server_last_page: `&server=server-7&offset=${Math.max(0, Math.floor(RECORDS / SERVERS) - 50)}`,
  of_tool: "&tool=tool_7",
  of_tool_of_server: "&server=server-7&tool=tool_7",
  of_session: "&session_id=s77",
  of_request: "&request_id=q1-1",
  of_day: `&start_time=${new Date(Date.now() - 5 * DAY_MS).toISOString()}&end_time=${new Date(Date.now() - 4 * DAY_MS).toISOString()}`,
  errors: "&status=error",
  of_actor: "&agent=agent-7",
  sensitive: "&sensitive_data=true",
  blocked: "&status=blocked",
};

/** The first answer and the median of further ones, because totals are counted at times only. */
async function activityFigures(url: string): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const [name, query] of Object.entries(LISTS)) {
    const path = `${url}/api/v1/activity?limit=50${query}`;
    try {
      figures[`activity_${name}_first_ms`] = await timed(() => read(path));
      figures[`activity_${name}_ms`] = await median(() => read(path));
    } catch (error) {
      // The other figures remain.
      console.error(error);
    }
  }
  const response = await fetch(`${url}/api/v1/activity?limit=50`, { headers: { "x-api-key": KEY } });
  const cursor = encodeURIComponent(((await response.json()) as { data: { next_cursor: string } }).data.next_cursor);
  figures.activity_next_page_ms = await median(() => read(`${url}/api/v1/activity?limit=50&cursor=${cursor}`));
  return figures;
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1);

/** Adds records of the last days, the same number for each, in new partitions, whose indexes are made afterwards. */
function fill(server: PostgresServer, url: string): void {
  const today = Math.floor(Date.now() / DAY_MS);
  const each = Math.round(RECORDS / DAYS);
  for (let day = today - DAYS + 1; day <= today; day++) {
    const table = `activity_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "")}`;
    server.psql(
      `drop table if exists ${table};
       create table ${table} (like activity including defaults);
       insert into ${table} (id, at, type, status, source, server_name, tool_name, session_id, request_id, actor,
         duration_ms, request_bytes, response_bytes)
       select 'r${day}-' || i, ${day * DAY_MS} + i * ${DAY_MS}::bigint / ${each}, 'tool_call',
         case when i % 50 = 0 then 'error' else 'success' end, 'mcp', 'server-' || i % ${SERVERS}, 'tool_' || i % 100,
         's' || i % 5000, 'q${day}-' || i, 'agent-' || i % 50, i % 900, 200, 1000
       from generate_series(0::bigint, ${each - 1}) as i;
       alter table activity attach partition ${table} for values from (${day * DAY_MS}) to (${(day + 1) * DAY_MS})`,
      databaseOf(url),
    );
  }
  server.psql("analyze activity", databaseOf(url));
}

/** Brings the sums up to date, as a replica does in the background. */
async function addUp(url: string): Promise<void> {
  const database = openDatabase(databaseTarget(url), { name: "bench" });
  await createSharedActivitySums(database, createFinalRecords(database)).addUp();
  database.close();
}

async function read(url: string): Promise<void> {
  const response = await fetch(url, { headers: { "x-api-key": KEY } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}

async function median(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < ASKED; i++) times.push(await timed(work));
  return times.sort((a, b) => a - b)[Math.floor(ASKED / 2)]!;
}
