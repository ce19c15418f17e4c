import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { startReplicas } from "#test/e2e/replicas.ts";
import type { PostgresServer } from "#test/kit/postgres.ts";
import { BUNDLE, folder, type Scope } from "#test/kit/program.ts";
import { startProgram } from "#test/kit/upstream.ts";
import { type ActCounts, readActs } from "./acts.ts";
import { type CallCounts, startNewerLoad, startOlderLoad } from "./call-load.ts";

/** What clients saw during rolling updates. */
export interface RollOutcome {
  readonly updates: number;
  /** Calls of clients of 2026-07-28 over HTTP and of the one process. */
  readonly newer: CallCounts;
  readonly newerStdio: CallCounts;
  /** Calls of clients of 2025-11-25. */
  readonly older: CallCounts;
  readonly olderClients: number;
  /** Exit codes of the replicas that were stopped, other than 0. */
  readonly exits: string[];
  readonly acts: ActCounts;
}

const trusted = { quarantined: false, trust_mode: "auto" };
const OLDER_CLIENTS = 4;

/**
 * Updates the replicas one after the other to the next release, again and again, under load: each is stopped in an
 * orderly way, and the next release, which adds a table, starts in its place. So two releases work side by side each time.
 *
 * @param pauseMs pause of a client between two calls
 */
export async function rollReplicas(
  scope: Scope,
  server: PostgresServer,
  {
    updates,
    mayGoOn = () => true,
    ...load
  }: { updates: number; mayGoOn?: (done: number) => boolean; pauseMs?: number },
): Promise<RollOutcome> {
  const file = join(folder(scope), "acts");
  writeFileSync(file, "");
  const upstream = await startProgram("upstream-http.mjs");
  scope.after(() => upstream.kill());
  const replicas = await startReplicas(scope, server, {
    // The default, which leaves the balancer time to notice on a busy machine, too.
    cluster: { stop_delay: "5s" },
    config: {
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
  const args = () => ({ what: `n${calls++}` });
  const loads = [
    startNewerLoad({ url: endpoint, tool: "up__echo", clients: 4, ...load }),
    startNewerLoad({ url: endpoint, tool: "acting__act", clients: 2, args, ...load }),
    startOlderLoad({ url: endpoint, tool: "up__echo", clients: OLDER_CLIENTS, ...load }),
  ] as const;
  const exits: string[] = [];
  let done = 0;
  while (done < updates && mayGoOn(done)) {
    const bundle = releaseWith(scope, ++done);
    for (const index of replicas.running.keys()) {
      const { code, err } = await replicas.stop(index);
      if (code !== 0) exits.push(`${code}: ${err.slice(-300)}`);
      await replicas.start(index, bundle);
    }
  }
  const [newer, newerStdio, older] = await Promise.all(loads.map((load) => load.stop()));
  return {
    updates: done,
    newer: newer!,
    newerStdio: newerStdio!,
    older: older!,
    olderClients: OLDER_CLIENTS,
    exits,
    acts: readActs(file),
  };
}

/** Makes a release that knows this many more steps of the tables than this build. @returns the path of its bundle */
function releaseWith(scope: Scope, steps: number): string {
  const text = readFileSync(BUNDLE, "utf8");
  const end = /(SCHEMA_STEPS\d* = \[[\s\S]*?\.\.\.\w+)(\n\s*\];)/;
  if (!end.test(text)) throw new Error("the steps of the tables are not found in the bundle");
  const added = Array.from({ length: steps }, (_, index) => {
    const sql = `create table release_${index} (id text primary key)`;
    return `,\n  { kind: "expand", sql: ${JSON.stringify(sql)} }`;
  });
  // Beside this build, where its assets are.
  const path = join(dirname(BUNDLE), `proxy-release-${process.pid}-${steps}.cjs`);
  writeFileSync(
    path,
    text.replace(end, (_, steps, close) => `${steps}${added.join("")}${close}`),
  );
  scope.after(() => rmSync(path, { force: true }));
  return path;
}
