import { markedProcesses, type ProcessRow, processTree, readProcessTable } from "./process-table.ts";

/** Selects the processes that are ended. */
interface ProcessSelection {
  /** Leaders of process groups, by pid, with their start times (empty: unknown). */
  readonly leaders: ReadonlyMap<number, string>;
  /** Beginning of the mark in the environment of the processes. */
  readonly markPrefix: string;
}

export interface EndTimes {
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
export async function endProcesses(selection: ProcessSelection, times: EndTimes): Promise<number> {
  const startedAt = Date.now();
  const progress: EndProgress = { members: new Map(), unmarked: new Set() };
  const signalled = new Set<string>();
  for (let pause: number = POLL_MS[0]; ; pause = Math.min(POLL_MS[1], pause * 2)) {
    const alive = await remainingProcesses(selection, progress);
    const elapsedMs = Date.now() - startedAt;
    if (alive.length === 0 || elapsedMs > times.limitMs) return alive.length;
    const graceIsOver = elapsedMs >= times.graceMs;
    for (const row of alive) {
      if (graceIsOver) sendSignal(row.pid, "SIGKILL");
      else if (!signalled.has(processKey(row))) sendSignal(row.pid, "SIGTERM");
      signalled.add(processKey(row));
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

interface EndProgress {
  /** Processes that were found to belong to a tree: start times by pid. */
  readonly members: Map<number, string>;
  /** Processes whose environment contains no mark; it is not read again. */
  readonly unmarked: Set<string>;
}

/** A pid can be reused; together with the start time it identifies one process. */
const processKey = (row: ProcessRow) => `${row.pid} ${row.started}`;

async function remainingProcesses(
  { leaders, markPrefix }: ProcessSelection,
  progress: EndProgress,
): Promise<ProcessRow[]> {
  const rows = (await readProcessTable()).filter((row) => row.pid !== process.pid);
  const fresh = rows.filter((row) => !progress.unmarked.has(processKey(row)));
  const marks = new Set((await markedProcesses(fresh, markPrefix)).map((row) => row.pid));
  for (const row of fresh) if (!marks.has(row.pid)) progress.unmarked.add(processKey(row));
  const roots = new Set([...validLeaders(rows, leaders), ...marks]);
  for (const row of rows) if (progress.members.get(row.pid) === row.started) roots.add(row.pid);
  const tree = processTree(rows, roots);
  for (const row of tree) progress.members.set(row.pid, row.started);
  return tree;
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
function sendSignal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended meanwhile, or the proxy may not end it.
  }
}
