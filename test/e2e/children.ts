import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  markedProcesses,
  type ProcessRow,
  processTree,
  readProcessTable,
} from "#lib/core/upstream/stdio/process-table.ts";
import { until } from "#test/kit/upstream.ts";
import type { Daemon, Json } from "./daemon.ts";

/** The process of one upstream, as its daemon wrote it down. */
export function childOf({ dir }: Pick<Daemon, "dir">, server: string): number {
  const { children } = JSON.parse(readFileSync(join(dir, "children.json"), "utf8")) as Json;
  const found = children.find((child: Json) => child.server === server);
  if (!found) throw new Error(`no process of ${server} is written down`);
  return found.pid;
}

/** Everything that runs on behalf of some processes, themselves included, in groups and sessions of their own or not. */
export async function familyOf(...pids: number[]): Promise<ProcessRow[]> {
  return processTree(await readProcessTable(), new Set(pids));
}

/** Waits until none of some processes runs any more; one that came by the same id is another. */
export async function gone(rows: readonly ProcessRow[], timeoutMs: number): Promise<void> {
  const names = new Set(rows.map(({ pid, started }) => `${pid} ${started}`));
  await until(
    `${names.size} processes are gone`,
    async () => !(await readProcessTable()).some(({ pid, started }) => names.has(`${pid} ${started}`)),
    timeoutMs,
  );
}

/** What carries the mark of a data directory in its environment, from a proxy that runs or ran there (Linux only). */
export async function markedBy({ dir }: Pick<Daemon, "dir">): Promise<ProcessRow[]> {
  const folder = createHash("sha256").update(dir).digest("hex").slice(0, 16);
  return markedProcesses(await readProcessTable(), `${folder}.`);
}
