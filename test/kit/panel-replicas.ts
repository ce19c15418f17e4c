import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import type { TestApp, TestOptions } from "./app.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { type Served, serve } from "./mcp.ts";
import type { PostgresServer } from "./postgres.ts";
import { until } from "./until.ts";

const REPLICAS = 3;

/** Replicas in this process behind a balancer without affinity. */
export interface ServedReplicas {
  readonly apps: readonly TestApp[];
  readonly balancer: Balancer;
}

/**
 * Starts three replicas behind a balancer that sends each request to the next one.
 *
 * @returns the first replica, with the balancer's address
 */
export async function serveReplicas(
  t: TestContext,
  server: PostgresServer,
  options: TestOptions,
): Promise<Served & { replicas: ServedReplicas }> {
  const cluster = { database_url: server.database(), encryption_keys: [randomBytes(32).toString("base64")] };
  const all: Served[] = [];
  for (let n = 0; n < REPLICAS; n++) all.push(await serve(t, { ...options, config: { ...options.config, cluster } }));
  const balancer = await startBalancer(t);
  for (const { url } of all) balancer.add(url);
  await until("the balancer uses every replica", () => all.every(({ url }) => balancer.isUsed(url)));
  return { ...all[0]!, url: balancer.url, replicas: { apps: all.map(({ app }) => app), balancer } };
}
