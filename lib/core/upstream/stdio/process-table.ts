import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isTagged, type ProcessTagRange, processTagRange } from "./process-tag.ts";

/** The facts about one running process that are needed to end process trees. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly group: number;
  readonly session: number;
  /** When the process started, in the form of the operating system. With the pid it identifies the process. */
  readonly started: string;
}

/**
 * Set in the environment of every child process and inherited by its descendants, so that leftover processes are
 * recognised.
 */
export const PROCESS_MARK_VARIABLE = "PROXY_UPSTREAM_ID";

/** Returns the running processes, without zombies; empty if the system cannot list them. */
export async function readProcessTable(): Promise<ProcessRow[]> {
  if (process.platform === "linux") return linuxProcesses();
  if (process.platform === "win32") return parseWindowsProcesses(await output("powershell", WINDOWS_QUERY));
  return parsePs(await output("ps", ["-A", "-o", "pid=,ppid=,pgid=,sess=,stat=,lstart="]));
}

/** Returns an id of the current boot of this machine, if start times are relative to it; otherwise an empty text. */
export function bootId(): string {
  if (process.platform !== "linux") return "";
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return "";
  }
}

/** Number of processes that are read before the loop yields. */
const SLICE = 100;

/**
 * Returns the processes whose environment contains a mark with this beginning, or that have the tag but no mark. Only
 * on Linux can the environment and limits of other processes be read.
 */
export async function markedProcesses(rows: readonly ProcessRow[], prefix: string): Promise<ProcessRow[]> {
  if (process.platform !== "linux") return [];
  const range = processTagRange(prefix);
  const out: ProcessRow[] = [];
  for (const [i, row] of rows.entries()) {
    if (i % SLICE === SLICE - 1) await nextTurn();
    if (carries(row.pid, prefix, range)) out.push(row);
  }
  return out;
}

/**
 * True if a process has the mark. The mark is exact and therefore decides; the tag is for processes that have cleared
 * their environment.
 */
function carries(pid: number, prefix: string, range: ProcessTagRange): boolean {
  const environment = proc(pid, "environ");
  if (environment?.includes(`${PROCESS_MARK_VARIABLE}=`))
    return environment.includes(`${PROCESS_MARK_VARIABLE}=${prefix}`);
  return isTagged(proc(pid, "limits")?.toString("latin1") ?? "", range);
}

/** Returns when a process started; empty if it has ended or the system does not report it. */
export async function processStart(pid: number): Promise<string> {
  const rows = process.platform === "linux" ? [linuxProcess(pid)] : await readProcessTable();
  return rows.find((row) => row?.pid === pid)?.started ?? "";
}

/**
 * Returns everything that belongs to these processes: themselves, the members of the groups and sessions they lead, and
 * all their descendants, also those in other groups.
 */
export function processTree(rows: readonly ProcessRow[], leaders: ReadonlySet<number>): ProcessRow[] {
  const found = new Set<number>();
  for (const row of rows)
    if (leaders.has(row.pid) || leaders.has(row.group) || leaders.has(row.session)) found.add(row.pid);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const row of rows) if (found.has(row.ppid)) found.add(row.pid);
  }
  return rows.filter((row) => found.has(row.pid));
}

async function linuxProcesses(): Promise<ProcessRow[]> {
  const out: ProcessRow[] = [];
  for (const [i, name] of readdirSync("/proc").entries()) {
    if (i % SLICE === SLICE - 1) await nextTurn();
    const row = /^\d+$/.test(name) && linuxProcess(Number(name));
    if (row) out.push(row);
  }
  return out;
}

function linuxProcess(pid: number): ProcessRow | undefined {
  const text = proc(pid, "stat");
  return text && parseProcStat(text.toString("latin1"));
}

/** Reads a file of a process; undefined if the process has ended, or the proxy may not read it. */
function proc(pid: number, file: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return undefined;
  }
}

/** Parses `pid (name) state ppid pgrp session … starttime …` (proc(5)); the name may contain spaces and brackets. */
export function parseProcStat(text: string): ProcessRow | undefined {
  const close = text.lastIndexOf(")");
  const [state, ppid, group, session, ...more] = text.slice(close + 2).split(" ");
  if (state === "Z" || state === "X") return undefined;
  return {
    pid: Number.parseInt(text, 10),
    ppid: Number(ppid),
    group: Number(group),
    session: Number(session),
    started: more[15] ?? "",
  };
}

/** Parses the output of `ps`. The session is a number on Linux; elsewhere it is an address, which equals no pid. */
export function parsePs(text: string): ProcessRow[] {
  const out: ProcessRow[] = [];
  for (const line of text.split("\n")) {
    const [, pid, ppid, group, session, stat, started] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (pid === undefined || stat?.startsWith("Z")) continue;
    const row = { pid: Number(pid), ppid: Number(ppid), group: Number(group), session: Number(session) };
    out.push({ ...row, started: started ?? "" });
  }
  return out;
}

const WINDOWS_QUERY = [
  "-NoProfile",
  "-NonInteractive",
  "-Command",
  "Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.Ticks }",
];

/** Parses the list of processes on Windows, which has no such groups and sessions: each process is its own group. */
export function parseWindowsProcesses(text: string): ProcessRow[] {
  const out: ProcessRow[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, pid, ppid, started] = /^(\d+) (\d+)(?: (\d+))?$/.exec(line.trim()) ?? [];
    if (pid !== undefined)
      out.push({ pid: Number(pid), ppid: Number(ppid), group: Number(pid), session: 0, started: started ?? "" });
  }
  return out;
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((done) => {
    execFile(command, args, { timeout: 5000, maxBuffer: 1 << 24, windowsHide: true }, (error, stdout) =>
      done(error ? "" : stdout),
    );
  });
}
