import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { TestApp } from "#test/kit/app.ts";
import { CLIENT_IP, PUBLIC_HOST, startFront } from "#test/kit/front.ts";
import { call as ask } from "#test/kit/http.ts";
import { program, serve } from "#test/kit/mcp.ts";
import { startRudeIdp } from "#test/kit/rude-idp.ts";
import { Browser, editionFor } from "#test/kit/team.ts";
import { until } from "#test/kit/until.ts";
import { verifies } from "#test/kit/verifies.ts";

/** The whole program behind a real reverse proxy, which names the client and ends TLS (spec 001 §5.2, §5.3). */

const LOOPBACK = ["127.0.0.0/8", "::1"];

async function connected(t: TestContext, url: string, key: string): Promise<Client> {
  const client = new Client({ name: "far-away", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp/call", url), {
    requestInit: { headers: { "x-api-key": key } },
  });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  t.after(() => client.close());
  return client;
}

const READ = { name: "one:echo", args: { message: "hi" }, intent: { operation_type: "read" } };
const call = (client: Client) => client.callTool({ name: "call_tool_read", arguments: READ });

/** Where the calls came from, the latest first. */
async function callers(app: TestApp): Promise<unknown[]> {
  const { activities } = await ask(app, "GET /api/v1/activity", { query: { type: "tool_call" } });
  return activities.map(({ metadata }) => metadata?.client_ip);
}

verifies(
  "mcp.what.reverse-proxy",
  "behind a reverse proxy it serves under names it was told of, and takes forwarded headers of peers it was told of",
  async (t) => {
    const { app, url, key } = await serve(t, { connect: true, servers: [program("one")] });
    const front = await startFront(t, url);
    const get = (path: string) => fetch(front + path, { headers: { "x-api-key": key } });

    const refused = await get("/api/v1/status");
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /Forbidden: invalid Host header/);
    await assert.rejects(connected(t, front, key));

    await ask(app, "PATCH /api/v1/config", { body: { trusted_hosts: [PUBLIC_HOST] } });
    assert.equal((await get("/api/v1/status")).status, 200);
    const events = await get("/events");
    const reader = events.body!.getReader();
    assert.match(Buffer.from((await reader.read()).value!).toString(), /^: connected/);
    await reader.cancel();
    const client = await connected(t, front, key);
    assert.match(JSON.stringify(await call(client)), /hi/);
    await until("the first call", async () => (await callers(app)).join() === "127.0.0.1");

    await ask(app, "PATCH /api/v1/config", { body: { trusted_proxies: LOOPBACK } });
    await call(client);
    await until("the second call", async () => (await callers(app)).join() === `${CLIENT_IP},127.0.0.1`);
  },
);

verifies(
  "peer.feeds",
  "they feed the client of sessions and calls, the Secure mark, the callback and the reference's address",
  async (t) => {
    const idp = await startRudeIdp();
    t.after(() => idp.close());
    const config = {
      trusted_proxies: LOOPBACK,
      trusted_hosts: [PUBLIC_HOST],
      server_edition: editionFor(idp.issuer),
    };
    const { app, url, key } = await serve(t, { connect: true, servers: [program("one")], config });
    const front = await startFront(t, url);
    const base = `https://${PUBLIC_HOST}`;

    const browser = new Browser(front);
    const page = await browser.go("/api/v1/auth/login");
    const asked = new URL(page.headers.get("location")!).searchParams;
    assert.equal(asked.get("redirect_uri"), `${base}/api/v1/auth/callback`);
    idp.nonce = asked.get("nonce")!;
    const back = await browser.go(`/api/v1/auth/callback?code=c&state=${asked.get("state")}`);
    assert.equal(back.status, 302, back.text);
    const cookies = [...page.headers.getSetCookie(), ...back.headers.getSetCookie()];
    assert.ok(cookies.length > 0);
    for (const cookie of cookies) assert.match(cookie, /; Secure$/);
    assert.deepEqual(
      app.store.userSessions.all().map(({ clientIp }) => clientIp),
      [CLIENT_IP],
    );

    await call(await connected(t, front, key));
    await until("the call", async () => (await callers(app)).join() === CLIENT_IP);
    const { sessions } = await ask(app, "GET /api/v1/sessions", {});
    assert.deepEqual(
      sessions.map(({ client_ip }) => client_ip),
      [CLIENT_IP],
    );

    const reference = (await (await fetch(`${front}/docs/spec.json`)).json()) as { servers: { url: string }[] };
    assert.equal(reference.servers[0]?.url, base);
  },
);
