import { markedProcesses, type ProcessRow, processTree, readProcessTable } from "./process-table.ts";

/** Selects the processes that are ended. */
interface ReapTarget {
  /** Leaders of process groups, by pid, with their start times (empty: unknown). */
  readonly leaders: ReadonlyMap<number, string>;
  /** Beginning of the mark in the environment of the processes. */
  readonly markPrefix: string;
}

export interface ReapTimes {
  /** Time from SIGTERM to SIGKILL. (ms) */
  readonly graceMs: number;
  /** Time after which the proxy gives up. (ms) */
  readonly limitMs: number;
}

/** Interval between two reads of the process table. It doubles from the first value to the second. (ms) */
const POLL_MS = [20, 160] as const;

/**
 * Ends process trees with SIGTERM and, after a grace period, SIGKILL, until no process of them is left. A process
 * belongs to a tree by its group, session, parent or mark. Once it was found to belong, it is ended even if its parent
 * ends first.
 *
 * @returns how many processes were still alive when the limit was reached
 */
export async function reapProcesses(doomed: ReapTarget, times: ReapTimes): Promise<number> {
  const began = Date.now();
  const seen: Seen = { doomed: new Map(), strangers: new Set() };
  const warned = new Set<string>();
  for (let pause: number = POLL_MS[0]; ; pause = Math.min(POLL_MS[1], pause * 2)) {
    const alive = await living(doomed, seen);
    const spent = Date.now() - began;
    if (alive.length === 0 || spent > times.limitMs) return alive.length;
    const late = spent >= times.graceMs;
    for (const row of alive) {
      if (late) signal(row.pid, "SIGKILL");
      else if (!warned.has(nameOf(row))) signal(row.pid, "SIGTERM");
      warned.add(nameOf(row));
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

interface Seen {
  readonly doomed: Map<number, string>;
  /** Processes whose environment contains no mark; it is not read again. */
  readonly strangers: Set<string>;
}

/** A pid can be reused; together with the start time it identifies one process. */
const nameOf = (row: ProcessRow) => `${row.pid} ${row.started}`;

async function living({ leaders, markPrefix }: ReapTarget, seen: Seen): Promise<ProcessRow[]> {
  const rows = (await readProcessTable()).filter((row) => row.pid !== process.pid);
  const fresh = rows.filter((row) => !seen.strangers.has(nameOf(row)));
  const marks = new Set((await markedProcesses(fresh, markPrefix)).map((row) => row.pid));
  for (const row of fresh) if (!marks.has(row.pid)) seen.strangers.add(nameOf(row));
  const roots = new Set([...validLeaders(rows, leaders), ...marks]);
  for (const row of rows) if (seen.doomed.get(row.pid) === row.started) roots.add(row.pid);
  const found = processTree(rows, roots);
  for (const row of found) seen.doomed.set(row.pid, row.started);
  return found;
}

/**
 * Returns the leaders whose pid still is that of their group: a pid is reused only after its group and session have
 * ended.
 */
function validLeaders(rows: readonly ProcessRow[], leaders: ReadonlyMap<number, string>): number[] {
  const now = new Map(rows.map((row) => [row.pid, row.started]));
  return [...leaders].filter(([pid, started]) => !started || (now.get(pid) ?? started) === started).map(([pid]) => pid);
}

/** Sends a signal. Windows cannot ask another process to end; there, both signals end it at once. */
function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended meanwhile, or the proxy may not end it.
  }
}
