import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startReplicas } from "#test/e2e/replicas.ts";
import type { PostgresServer } from "#test/kit/postgres.ts";
import { folder, type Scope } from "#test/kit/program.ts";
import { startProgram, until } from "#test/kit/upstream.ts";
import { type ActCounts, readActs } from "./acts.ts";
import { type CallCounts, startNewerLoad } from "./call-load.ts";
import { startWriteLoad, type WriteCounts } from "./write-load.ts";

/** What happened while the database was restarted. */
export interface RestartOutcome {
  readonly restarts: number;
  readonly writes: WriteCounts;
  /** Calls over HTTP, which need no database. */
  readonly http: CallCounts;
  /** Calls of the one process, which ends if the database is away for longer than its lease. */
  readonly stdio: CallCounts;
  readonly acts: ActCounts;
  /** Records of answered calls over HTTP that the database has in the end. */
  readonly recorded: number;
}

const trusted = { quarantined: false, trust_mode: "auto" };
/** Longest time for which the database is stopped; a process of a server lives on for about 4 s without it. (ms) */
const MAX_AWAY_MS = 6000;
const MAX_BETWEEN_MS = 6000;
/** Records in files are delivered after this time, also on a busy machine. (ms) */
const DELIVERED_MS = 60_000;

/**
 * Stops the database as in a crash, at random times and for a random time, and starts it again, under load: changes,
 * calls over HTTP, and calls of a server whose process runs once.
 */
export async function restartDatabase(
  scope: Scope,
  server: PostgresServer,
  { restarts, mayGoOn = () => true }: { restarts: number; mayGoOn?: (done: number) => boolean },
): Promise<RestartOutcome> {
  const file = join(folder(scope), "acts");
  writeFileSync(file, "");
  const upstream = await startProgram("upstream-http.mjs");
  scope.after(() => upstream.kill());
  const replicas = await startReplicas(scope, server, {
    config: {
      activity_max_records: 0,
      mcpServers: [
        { name: "up", url: upstream.url, protocol: "streamable-http", ...trusted },
        {
          name: "acting",
          command: process.execPath,
          args: [resolve("test/programs/acting-server.mjs"), file],
          ...trusted,
        },
      ],
    },
  });
  const endpoint = `${replicas.url}/mcp/all`;
  let calls = 0;
  const http = startNewerLoad({ url: endpoint, tool: "up__echo", clients: 4 });
  const stdio = startNewerLoad({
    url: endpoint,
    tool: "acting__act",
    clients: 2,
    args: () => ({ what: `n${calls++}` }),
  });
  const writes = startWriteLoad(replicas.url);
  let done = 0;
  for (; done < restarts && mayGoOn(done); done++) {
    await sleep(randomInt(500, MAX_BETWEEN_MS));
    await server.stop();
    await sleep(randomInt(0, MAX_AWAY_MS));
    await server.start();
  }
  const written = await writes.stop(() => replicas.running.flatMap((one) => one?.url ?? []));
  const answered = await http.stop();
  const recorded = () =>
    replicas.rest("GET /activity?type=tool_call&server=up&status=success&limit=1").then(({ total }) => total as number);
  await until("calls are recorded", async () => (await recorded()) >= answered.answered, DELIVERED_MS).catch(() => {});
  return {
    restarts: done,
    writes: written,
    http: answered,
    stdio: await stdio.stop(),
    acts: readActs(file),
    recorded: await recorded(),
  };
}
