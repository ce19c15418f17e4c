import { randomBytes } from "node:crypto";
import { type Balancer, startBalancer } from "#test/kit/balancer.ts";
import type { PostgresServer } from "#test/kit/postgres.ts";
import type { Scope } from "#test/kit/program.ts";
import { until } from "#test/kit/upstream.ts";
import { type Daemon, type Json, KEY, serve } from "./daemon.ts";

interface ReplicasOptions {
  readonly count?: number;
  /** The database that they share; a new one by default. */
  readonly databaseUrl?: string;
  /** Keys of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Keys of `cluster`. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The bundle of the first start. */
  readonly bundle?: string;
}

/** Processes of the built program that share a database and the processes of servers, behind a balancer. */
export interface Replicas {
  /** The balancer's address. */
  readonly url: string;
  readonly balancer: Balancer;
  readonly databaseUrl: string;
  /** The running ones by their number; undefined while one is down. */
  readonly running: readonly (Daemon | undefined)[];
  /** What each needs in its configuration and environment, for a further one. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
  /** Sends SIGKILL to one and waits until it is gone. */
  kill(index: number): Promise<void>;
  /** Stops one in an orderly way. @returns its exit code and what it printed on standard error */
  stop(index: number): Promise<{ code: number | null; err: string }>;
  /** Starts one again in its data directory and waits until the balancer uses it. */
  start(index: number, bundle?: string): Promise<Daemon>;
  /** A REST call as administrator through the balancer; returns `data`, and throws what is no success. */
  rest(request: string, body?: unknown): Promise<Json>;
  /** Waits until something holds at each running replica. */
  each(what: string, holds: (replica: Daemon) => unknown, timeoutMs?: number): Promise<void>;
}

export async function startReplicas(
  scope: Scope,
  server: PostgresServer,
  { count = 3, config = {}, cluster, env: more, bundle, ...options }: ReplicasOptions = {},
): Promise<Replicas> {
  const databaseUrl = options.databaseUrl ?? server.database();
  const env = { DATABASE_URL: databaseUrl, CLUSTER_KEY: randomBytes(32).toString("base64"), ...more };
  const shared = {
    enable_socket: false,
    ...config,
    cluster: {
      database_url: `\${env:DATABASE_URL}`,
      encryption_keys: [`\${env:CLUSTER_KEY}`],
      replica_listen: "127.0.0.1:0",
      stop_delay: "0s",
      ...cluster,
    },
  };
  const balancer = await startBalancer(scope);
  const dirs: string[] = [];
  const running: (Daemon | undefined)[] = [];

  const remove = (index: number): Daemon => {
    const daemon = running[index];
    if (!daemon) throw new Error(`replica ${index} is down`);
    running[index] = undefined;
    return daemon;
  };
  const start = async (index: number, from: string | undefined): Promise<Daemon> => {
    const dir = dirs[index];
    const daemon = await serve(scope, {
      config: shared,
      env,
      ...(dir !== undefined && { dir }),
      ...(from !== undefined && { bundle: from }),
    });
    dirs[index] = daemon.dir;
    running[index] = daemon;
    balancer.add(daemon.url);
    await until(`the balancer uses replica ${index}`, () => balancer.isUsed(daemon.url), 60_000);
    return daemon;
  };
  // One after the other, as in a rolling update: the first one makes the tables.
  for (let index = 0; index < count; index++) await start(index, bundle);
  return {
    url: balancer.url,
    balancer,
    databaseUrl,
    running,
    config: shared,
    env,
    async kill(index) {
      const daemon = remove(index);
      daemon.child.kill("SIGKILL");
      await daemon.ended;
      balancer.remove(daemon.url);
    },
    async stop(index) {
      const daemon = remove(index);
      daemon.child.kill("SIGTERM");
      const { code, err } = await daemon.ended;
      balancer.remove(daemon.url);
      return { code, err };
    },
    start: (index, from) => start(index, from),
    rest: (request, body) => restCall(balancer.url, request, body),
    async each(what, holds, timeoutMs = 30_000) {
      for (const [index, daemon] of running.entries())
        if (daemon) await until(`${what} at replica ${index}`, () => holds(daemon), timeoutMs);
    },
  };
}

/** A REST call as administrator. @throws an error with the status and the code of what is no success */
export async function restCall(url: string, request: string, body?: unknown): Promise<Json> {
  const [method = "", path = ""] = request.split(" ");
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { "x-api-key": KEY, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${request}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text).data;
}
