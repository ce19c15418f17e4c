import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { alternate } from "#test/kit/alternate.ts";
import { freePort } from "#test/kit/free-port.ts";
import { INITIALIZE, toolCall } from "#test/kit/mcp.ts";
import { HandClient, TestBrowser } from "#test/kit/oauth.ts";
import { PAGE } from "#test/kit/panel-session.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { folder } from "#test/kit/program.ts";
import { browse, type Guarded, startGuarded } from "#test/kit/sign-in.ts";
import { until } from "#test/kit/upstream.ts";
import { readActs } from "#test/torture/acts.ts";
import { type Daemon, type Json, KEY, serve, wholeFile } from "./daemon.ts";

/**
 * Two replicas on machines whose clocks are five minutes ahead of and behind that of the database, so that they differ by
 * ten minutes (docs/internals/cluster.md, Clocks).
 */
const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const file = wholeFile();
const SHIFT_MS = 5 * 60_000;
const trusted = { quarantined: false, trust_mode: "auto" };

/** Each request goes to the other replica than the one before. */
let url: string;
let guarded: Guarded;
let acts: string;
let start: (shiftMs: number, dir?: string) => Promise<Daemon>;
let ahead: Daemon;
let behind: Daemon;

before(async () => {
  if (skip) return;
  guarded = await startGuarded();
  file.after(() => guarded.kill());
  acts = join(folder(file), "acts");
  writeFileSync(acts, "");
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: server!.database(),
    CLUSTER_KEY: randomBytes(32).toString("base64"),
    NODE_OPTIONS: `--require ${resolve("test/programs/shifted-clock.cjs")}`,
  };
  const config = {
    enable_socket: false,
    outbound_allow: guarded.config.outbound_allow,
    require_mcp_auth: true,
    auth: { oauth: { enabled: true, public_url: url } },
    mcpServers: [
      {
        name: "acting",
        command: process.execPath,
        args: [resolve("test/programs/acting-server.mjs"), acts],
        ...trusted,
      },
      { name: "guarded", url: guarded.url, protocol: "streamable-http", ...trusted },
    ],
    cluster: {
      database_url: `\${env:DATABASE_URL}`,
      encryption_keys: [`\${env:CLUSTER_KEY}`],
      replica_listen: "127.0.0.1:0",
      stop_delay: "0s",
    },
  };
  start = (shiftMs, dir) =>
    serve(file, { config, env: { ...env, CLOCK_SHIFT_MS: String(shiftMs) }, ...(dir !== undefined && { dir }) });
  // The first one makes the authority of the replicas and runs the process.
  ahead = await start(SHIFT_MS);
  await ahead.listed("acting");
  behind = await start(-SHIFT_MS);
  await behind.listed("acting");
  await alternate(file, port, [ahead.url, behind.url]);
});

async function post(at: Daemon, message: unknown, headers: Record<string, string> = { "x-api-key": KEY }) {
  const response = await fetch(`${at.url}/mcp/all`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(message),
  });
  return {
    status: response.status,
    text: await response.text(),
    session: response.headers.get("mcp-session-id") ?? "",
  };
}

/** Calls a tool at a replica in a session of 2025. */
async function callAt(at: Daemon, tool: string, session: string): Promise<string> {
  const { status, text } = await post(at, toolCall(tool), { "mcp-session-id": session, "x-api-key": KEY });
  return `${status} ${text}`;
}

const sessionAt = async (at: Daemon) => (await post(at, INITIALIZE)).session;

test("a link to the panel, and a session of it, are valid at the other replica", { skip }, async () => {
  for (const [maker, user] of [
    [ahead, behind],
    [behind, ahead],
  ] as const) {
    const link = await fetch(`${maker.url}/ui/code`, { method: "POST", headers: { "x-api-key": KEY } });
    const code = /#code=(.+)$/.exec(((await link.json()) as Json).data.url)![1]!;
    const browser = new TestBrowser(user.url);
    const signedIn = await browser.send("/ui/session", { method: "POST", headers: PAGE, body: { code } });
    assert.equal(signedIn.status, 200, await signedIn.text());
    await until("the cookie is valid at the other one", async () => {
      const page = await browser.send(`${maker.url}/api/v1/servers`, { headers: PAGE });
      return page.status === 200;
    });
  }
});

test("an MCP client signs in, whichever replica gets each request, and a renewal may be repeated at the other one", {
  skip,
}, async () => {
  // Twice, with an odd number of requests between, so that each step comes to each replica once.
  for (const between of [0, 1]) {
    for (let n = 0; n < between; n++) await (await fetch(`${url}/healthz`)).text();
    const client = new HandClient(url);
    assert.equal((await client.register()).status, 201);
    const browser = new TestBrowser(url);
    await browser.send("/ui/session", { method: "POST", headers: PAGE, body: { key: KEY } });
    const back = await browser.answer(await browser.open(client.authorizationUrl()));
    const { status, body } = await client.redeem(back.searchParams.get("code")!);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((await client.initialize(body.access_token)).status, 200);
    for (let n = 0; n < 3; n++) {
      const renewed = await client.refresh(body.refresh_token);
      assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
    }
  }
});

test("each replica reports the difference of its clock", { skip }, async () => {
  for (const [at, title] of [
    [ahead, /is 300 s ahead of that of the database/],
    [behind, /is 300 s behind that of the database/],
  ] as const) {
    const { findings } = await at.rest("GET /doctor");
    assert.match(findings.find(({ code }: Json) => code === "cluster_clock")?.title ?? "", title);
    await at.says(title);
  }
});

test("a token ends at the same time at both replicas", { skip }, async () => {
  const statusAt = async (at: Daemon, token: string) =>
    (await post(at, INITIALIZE, { authorization: `Bearer ${token}` })).status;
  const made = async (name: string, expires_in: string) =>
    (await behind.rest("POST /tokens", { name, expires_in })).token as string;
  const long = await made("long", "1h");
  const short = await made("short", "9m");
  await until("the other one knows both", async () => {
    const names = (await ahead.rest("GET /tokens")).tokens.map(({ name }: Json) => name);
    return ["long", "short"].every((name) => names.includes(name));
  });

  assert.deepEqual([await statusAt(ahead, long), await statusAt(behind, long)], [200, 200]);
  assert.deepEqual([await statusAt(ahead, short), await statusAt(behind, short)], [200, 200]);
});

test("a sign-in at a server may end at the other replica, and each of its refresh tokens is used once", {
  skip,
}, async () => {
  await guarded.control({ ttl: 4 });
  for (const [from, to] of [
    [behind, ahead],
    [ahead, behind],
  ] as const) {
    const { auth_url } = await from.rest("POST /servers/guarded/login");
    const back = new URL(await browse(auth_url));
    const page = await fetch(new URL(back.pathname + back.search, to.url));
    assert.equal(page.status, 200, await page.text());
  }
  const isReady = async (at: Daemon) => {
    const { servers } = await at.rest("GET /servers");
    return servers.some((one: Json) => one.name === "guarded" && one.connected);
  };
  for (const at of [ahead, behind]) await until("the server is connected", () => isReady(at));
  const sessions = await Promise.all([ahead, behind].map(sessionAt));
  const refreshes = async () =>
    (await guarded.control()).seen.filter(({ grant_type }) => grant_type === "refresh_token");

  await until("some tokens were renewed", async () => {
    const answers = await Promise.all(
      [ahead, behind].map((at, index) => callAt(at, "guarded__read", sessions[index]!)),
    );
    for (const answer of answers) assert.doesNotMatch(answer, /"isError":true|"error"/);
    return (await refreshes()).length >= 4;
  });
  const used = (await refreshes()).map(({ refresh_token }) => refresh_token);
  assert.equal(new Set(used).size, used.length);
  assert.ok(used.length < 40, `${used.length} renewals`);
});

test("a session continues at the other replica, and calls come over the hop to the one process, either way", {
  skip,
}, async () => {
  const pidAt = async (at: Daemon, session: string) =>
    /"text":"(\d+)"/.exec(await callAt(at, "acting__act", session))?.[1];
  const samePid = async () => {
    for (const opened of [ahead, behind]) {
      const session = await sessionAt(opened);
      const pids = [await pidAt(ahead, session), await pidAt(behind, session)];
      assert.ok(pids[0] !== undefined && pids[0] === pids[1], String(pids));
    }
  };
  await samePid();

  ahead.child.kill("SIGTERM");
  await ahead.ended;
  await until("the process runs at the replica that is behind", async () => pidAt(behind, await sessionAt(behind)));
  ahead = await start(SHIFT_MS, ahead.dir);
  await ahead.listed("acting");
  await samePid();

  const { processes, overlaps } = readActs(acts);
  assert.deepEqual([processes, overlaps], [2, []]);
});
