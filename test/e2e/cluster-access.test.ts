import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, test } from "node:test";
import { socketPath } from "#lib/core/base/socket-path.ts";
import {
  callRows,
  endpointRows,
  MATRIX_FILE,
  type MatrixWorld,
  managementRows,
  matrixText,
  routeRows,
  shownRows,
} from "#test/access/matrix.ts";
import { type Entrance, everybody, send, storeScript, type Tier, TWO_SERVERS_SCRIPT } from "#test/kit/access.ts";
import { TEST_KEY, type TestApp, testApp } from "#test/kit/app.ts";
import { startPostgres, withoutPostgres } from "#test/kit/postgres.ts";
import { until } from "#test/kit/upstream.ts";
import { wholeFile } from "./daemon.ts";
import { type Replicas, startReplicas } from "./replicas.ts";

/**
 * The access matrix (test/access) over three replicas: each request goes to another one. Credentials and settings are
 * made at a fourth, which gets no request.
 */
const skip = withoutPostgres;
const server = skip ? undefined : await startPostgres(after);
const file = wholeFile();

let replicas: Replicas;
let world: MatrixWorld;

/** A real server whose process is run once for all replicas. */
const program = (name: string) => ({
  name,
  command: process.execPath,
  args: [resolve("test/programs/upstream-stdio.mjs"), "--name", name],
  trust_mode: "auto",
  quarantined: false,
});

before(async () => {
  if (skip) return;
  replicas = await startReplicas(file, server!, {
    config: {
      api_key: TEST_KEY,
      enable_socket: true,
      mcpServers: [program("alpha"), program("beta")],
      profiles: [
        { name: "front", servers: ["alpha"] },
        { name: "back", servers: ["beta"] },
      ],
    },
  });
  for (const daemon of replicas.running) storeScript(daemon!, "both", TWO_SERVERS_SCRIPT);
  const app = await maker();
  file.after(() => app.close());
  const tiers = await everybody(app);
  await until("every replica knows every token", () => everywhere(tiers, false));
  const settled = () => {
    const { require_mcp_auth } = app.config.current();
    return until("the setting is in force everywhere", () => everywhere(tiers, require_mcp_auth));
  };
  world = { app, at: balanced(), tiers, settled };
});

/** A member of the cluster in this process, which makes credentials and changes settings. */
function maker(): Promise<TestApp> {
  const { env } = replicas;
  const cluster = { database_url: env.DATABASE_URL, encryption_keys: [env.CLUSTER_KEY] };
  return testApp({ connect: false, config: { cluster } });
}

/** The balancer, and the local sockets one after the other. */
function balanced(): Entrance {
  let next = 0;
  return {
    listenAddr: new URL(replicas.url).host,
    get socketPath() {
      return socketPath(replicas.running[next++ % replicas.running.length]!.dir);
    },
  };
}

/** Whether each replica knows each tier as it must. */
async function everywhere(tiers: readonly Tier[], requiresAuth: boolean): Promise<boolean> {
  for (const daemon of replicas.running) {
    const at = { listenAddr: new URL(daemon!.url).host, socketPath: socketPath(daemon!.dir) };
    for (const tier of tiers) {
      const isKnown = !["nobody", "wrong", "revoked", "expired"].includes(tier.name);
      const { status } = await send(at, tier, "GET /api/v1/servers");
      if (status !== (isKnown ? 200 : 401)) return false;
      if (tier.name !== "nobody") continue;
      const asked = await send(at, tier, "POST /mcp", { jsonrpc: "2.0", id: 1, method: "ping" });
      if ((asked.status === 401) !== requiresAuth) return false;
    }
  }
  return true;
}

test("three replicas behind a balancer without affinity admit and show the same as one proxy", { skip }, async () => {
  const endpoints = await endpointRows(world);
  const others = [await callRows(world), await shownRows(world), await managementRows(world)];
  // Last, because some of these requests change what the others ask about.
  const routes = await routeRows(world);

  const { answered } = replicas.balancer;
  assert.equal(matrixText(world.tiers, [routes, endpoints, ...others]), readFileSync(MATRIX_FILE, "utf8"));
  assert.equal(answered.size, 3);
  assert.ok(Math.min(...answered.values()) > 500, JSON.stringify([...answered]));
});
