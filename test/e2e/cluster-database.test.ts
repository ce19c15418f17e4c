import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { startProgram, until } from "#test/kit/upstream.ts";
import { startNewerLoad } from "#test/torture/call-load.ts";
import { type Json, KEY } from "./daemon.ts";
import { type Replicas, startReplicas } from "./replicas.ts";

/**
 * What docs/cluster.md states about a database that does not answer, at three replicas under load. `TORTURE_PAUSE_S`
 * sets how long it is paused.
 */
const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const PAUSE_S = Number(process.env.TORTURE_PAUSE_S ?? 8);

const change = async ({ url }: { url: string }) => {
  const response = await fetch(`${url}/api/v1/config`, {
    method: "PATCH",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({ tools_limit: 9 }),
  });
  const { code } = (await response.json()) as Json;
  return `${response.status} ${code ?? ""}`.trim();
};
const isReady = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status === 200;
const recorded = async (replicas: Replicas): Promise<number> =>
  (await replicas.rest("GET /activity?type=tool_call&limit=1")).total;

test(`while the database does not answer for ${PAUSE_S} s, calls go on, changes fail, and no record is lost`, {
  skip,
}, async (t) => {
  const upstream = await startProgram("upstream-http.mjs");
  t.after(() => upstream.kill());
  const replicas = await startReplicas(t, server!, {
    config: { mcpServers: [{ name: "up", url: upstream.url, quarantined: false, trust_mode: "auto" }] },
  });
  const load = startNewerLoad({ url: `${replicas.url}/mcp/all`, tool: "up__echo", clients: 4, pauseMs: 50 });
  await until("calls are answered", () => load.counts.answered > 20);

  const began = Date.now();
  server!.freeze();
  const answeredBefore = load.counts.answered;
  const refused = await Promise.all(replicas.running.map((one) => change(one!)));
  const refusedMs = Date.now() - began;
  await sleep(Math.max(0, PAUSE_S * 1000 - refusedMs));
  const answeredMeanwhile = load.counts.answered - answeredBefore;
  const ready = await Promise.all(replicas.running.map((one) => isReady(one!)));
  server!.thaw();

  assert.deepEqual(refused, Array(3).fill("503 cluster_database_away"));
  assert.ok(refusedMs < 15_000, `changes were refused after ${refusedMs} ms`);
  assert.deepEqual(ready, [true, true, true], "no replica leaves the load balancer");
  assert.ok(answeredMeanwhile > 20, `${answeredMeanwhile} calls were answered meanwhile`);
  await replicas.each("changes are made again", async (one) => (await change(one)) === "200");
  const { answered, failed } = await load.stop();
  assert.deepEqual(failed, []);
  await until("every call is recorded once", async () => (await recorded(replicas)) === answered, 60_000);

  await server!.stop();
  await server!.start();
  await replicas.each("changes are made after a restart of the database", async (one) => (await change(one)) === "200");
});

test("after the stated time without the database replicas refuse calls, and go on with it", { skip }, async (t) => {
  const upstream = await startProgram("upstream-http.mjs");
  t.after(() => upstream.kill());
  const replicas = await startReplicas(t, server!, {
    cluster: { max_stale: "5s" },
    config: { mcpServers: [{ name: "up", url: upstream.url, quarantined: false, trust_mode: "auto" }] },
  });

  server!.freeze();
  try {
    await replicas.each("it is not ready any more", async (one) => !(await isReady(one)));
    const codes = replicas.running.map(async (one) => {
      const response = await fetch(`${one!.url}/mcp/all`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      return [response.status, /cluster_outdated|has not answered for/.test(await response.text())];
    });
    assert.deepEqual(await Promise.all(codes), Array(3).fill([503, true]));
  } finally {
    server!.thaw();
  }

  await replicas.each("the balancer uses it again", ({ url }) => replicas.balancer.isUsed(url));
  const load = startNewerLoad({ url: `${replicas.url}/mcp/all`, tool: "up__echo", clients: 2 });
  await until("calls are answered", () => load.counts.answered > 20);
  assert.deepEqual((await load.stop()).failed, []);
});
