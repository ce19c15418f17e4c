import { randomInt } from "node:crypto";
import { cpSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startReplicas } from "#test/e2e/replicas.ts";
import type { PostgresServer } from "#test/kit/postgres.ts";
import { folder, type Scope } from "#test/kit/program.ts";
import { startGuarded } from "#test/kit/sign-in.ts";
import { startProgram, until } from "#test/kit/upstream.ts";
import { type ActCounts, readActs } from "./acts.ts";
import { type CallCounts, startNewerLoad } from "./call-load.ts";
import { type RenewalCounts, startGuardedLoad } from "./guarded-load.ts";
import { startWriteLoad, type WriteCounts } from "./write-load.ts";

/** What happened while replicas were killed. */
export interface KillOutcome {
  readonly kills: number;
  readonly writes: WriteCounts;
  readonly acts: ActCounts;
  readonly renewals: RenewalCounts;
  /** Calls over HTTP and of the one process; those that are under way at a killed replica fail. */
  readonly http: CallCounts;
  readonly stdio: CallCounts;
}

const trusted = { quarantined: false, trust_mode: "auto" };

/**
 * Kills replicas with SIGKILL at random times, under load: changes, calls over HTTP, calls of a server whose process
 * runs once, and calls of a server that requires a sign-in with tokens that last a few seconds.
 *
 * @param logs a folder to which the detailed logs of the replicas are copied
 * @param pauseMs pause of a client between two calls or changes
 */
export async function killReplicas(
  scope: Scope,
  server: PostgresServer,
  {
    kills,
    mayGoOn = () => true,
    logs,
    ...load
  }: { kills: number; mayGoOn?: (done: number) => boolean; logs?: string; pauseMs?: number },
): Promise<KillOutcome> {
  const file = join(folder(scope), "acts");
  writeFileSync(file, "");
  const upstream = await startProgram("upstream-http.mjs");
  const guarded = await startGuarded();
  scope.after(() => Promise.all([upstream.kill(), guarded.kill()]));
  const replicas = await startReplicas(scope, server, {
    config: {
      ...(logs !== undefined && { logging: { level: "debug" } }),
      outbound_allow: guarded.config.outbound_allow,
      mcpServers: [
        { name: "up", url: upstream.url, protocol: "streamable-http", ...trusted },
        { name: "guarded", url: guarded.url, protocol: "streamable-http", ...trusted },
        {
          name: "acting",
          command: process.execPath,
          args: [resolve("test/programs/acting-server.mjs"), file],
          ...trusted,
        },
      ],
    },
  });
  const times: number[] = [];
  const renewals = await startGuardedLoad(replicas, guarded, times);
  const endpoint = `${replicas.url}/mcp/all`;
  let calls = 0;
  const http = startNewerLoad({ url: endpoint, tool: "up__echo", clients: 4, ...load });
  const stdio = startNewerLoad({
    url: endpoint,
    tool: "acting__act",
    clients: 2,
    args: () => ({ what: `n${calls++}` }),
    ...load,
  });
  const writes = startWriteLoad(replicas.url, load.pauseMs);
  while (times.length < kills && mayGoOn(times.length)) {
    await sleep(randomInt(200, 2000));
    const index = randomInt(replicas.running.length);
    times.push(Date.now());
    await replicas.kill(index);
    await sleep(randomInt(0, 1500));
    await replicas.start(index);
  }
  const renewed = await renewals.stop();
  if (logs !== undefined)
    for (const [index, replica] of replicas.running.entries())
      cpSync(join(replica!.dir, "logs"), join(logs, String(index)), { recursive: true });
  const urls = () => replicas.running.flatMap((one) => one?.url ?? []);
  const outcome = {
    kills: times.length,
    writes: await writes.stop(urls),
    renewals: renewed,
    http: await http.stop(),
    stdio: await stdio.stop(),
  };
  // A process that a replica left behind would go on acting.
  const before = readActs(file).processes;
  await until("the process acts", () => readActs(file).processes >= before);
  return { ...outcome, acts: readActs(file) };
}
