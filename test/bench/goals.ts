import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type CallRatios, FULL, measureCalls } from "./calls.ts";
import { measureFirstCall } from "./first-call.ts";
import { fleetFigures } from "./fleet-figures.ts";
import { type Goal, goalsTable, PAGE, type Report, SAVED, withGoals } from "./goals-table.ts";
import { measureRest } from "./rest.ts";
import { benchStart } from "./start.ts";

/** Where the last run is, as build output. */
const OUT = "dist/bench/goals.json";

/** Goals that are measured together. On a machine that is shared, each can be measured when it is free. */
const GROUPS: Record<string, (node: string, executable: string) => Promise<Goal[]>> = {
  rest: async (_, executable) => (existsSync(executable) ? restGoals(executable) : []),
  starts: async (node, executable) => (existsSync(executable) ? startGoals(executable, node) : []),
  fleet: fleetGoals,
  calls: async (node) => {
    const calls = await measureCalls(node, FULL);
    return [...Object.entries(calls).flatMap(([over, ways]) => callGoals(over, ways.proxy!)), ...peerGoals(calls.http)];
  },
};

/** A run that may still lack some groups. */
interface Run extends Omit<Report, "goals"> {
  groups: Record<string, Goal[]>;
}

/**
 * Measures every goal and prints one table; takes about a quarter of an hour. `npm run bench -- goals rest` (`starts`, `fleet`,
 * `calls`) measures one group and takes the others from the last runs of the same commit on the same day.
 */
export async function benchGoals(wanted: readonly string[]): Promise<Report> {
  const node = execFileSync(process.execPath, ["build/bare-node.mjs"], { encoding: "utf8" }).trim();
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const [cpu] = cpus();
  const facts = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`,
    versions: `Node ${version}, commit ${execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim()}`,
  };
  const run: Run = { ...facts, groups: wanted.length > 0 ? earlierGroups(facts) : {} };
  for (const [name, measure] of Object.entries(GROUPS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    run.groups[name] = await measure(node, resolve("dist/proxy"));
    for (const one of run.groups[name]) console.error(`${one.what}: ${one.measured ?? "-"}`);
  }
  mkdirSync("dist/bench", { recursive: true });
  writeFileSync(OUT, `${JSON.stringify(run, null, 2)}\n`);
  const report = { ...facts, goals: Object.keys(GROUPS).flatMap((name) => run.groups[name] ?? []) };
  if (process.argv.includes("--save")) save(report);
  console.error(goalsTable(report));
  return report;
}

/** What earlier runs have measured of the same program. */
function earlierGroups(facts: Omit<Report, "goals">): Run["groups"] {
  if (!existsSync(OUT)) return {};
  const { groups, ...earlier } = JSON.parse(readFileSync(OUT, "utf8")) as Run;
  return isDeepStrictEqual(earlier, facts) ? groups : {};
}

/** Keeps a run as the one that the page shows. */
function save(report: Report): void {
  writeFileSync(SAVED, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(PAGE, withGoals(readFileSync(PAGE, "utf8"), report));
}

const most = (what: string, goal: number, measured: number | undefined, unit: string): Goal => ({
  what,
  goal,
  is: "at most",
  unit,
  ...(measured !== undefined && { measured }),
});
const least = (what: string, goal: number, measured: number | undefined, unit: string): Goal => ({
  ...most(what, goal, measured, unit),
  is: "at least",
});

const RELAY = "× the byte relay";

function callGoals(over: string, { calls, cpu, p50, p99, firstCalls }: CallRatios): Goal[] {
  return [
    most(`${over}: latency of one call, p50`, 1.2, p50[1], RELAY),
    least(`${over}: calls per second, 16 at once`, 0.8, calls[16], RELAY),
    least(`${over}: calls per second, 64 at once`, 0.8, calls[64], RELAY),
    most(`${over}: processor time of a call, 16 at once`, 1.4, cpu[16], RELAY),
    most(`${over}: processor time of a call, 64 at once`, 1.4, cpu[64], RELAY),
    most(`${over}: latency at 64, p99`, 1.5, p99[64], RELAY),
    most(`${over}: processor time of the first 1,000 calls`, 1.5, firstCalls, "× a warm call"),
  ];
}

function peerGoals({ proxy, ...others }: Record<string, CallRatios>): Goal[] {
  const beside = (name: string, at: number) => {
    const peer = others[name];
    return peer && Math.round((proxy!.calls[at]! / peer.calls[at]!) * 100) / 100;
  };
  return [
    least("calls per second at 16, beside the best Go peer", 2.5, beside("go", 16), "×"),
    least("calls per second at 64, beside the best Go peer", 3.5, beside("go", 64), "×"),
    least("calls per second at 16, beside the best JavaScript peer", 8, beside("javascript", 16), "×"),
    least("calls per second at 16, beside mcpproxy-go", 25, beside("mcpproxy-go", 16), "×"),
  ];
}

async function restGoals(executable: string): Promise<Goal[]> {
  const rest = await measureRest([executable]);
  return [
    most("private memory, 5 HTTP servers, idle", 55, rest.private_mb, "MB"),
    most("resident memory, 5 HTTP servers, idle", 110, rest.resident_mb, "MB"),
    most("private memory that 5 stdio servers add", 3, rest.stdio_more_mb, "MB"),
    most("resident memory a minute after 100,000 calls", 150, rest.after_calls_mb, "MB"),
    most("resident memory that a million calls add to that of 100,000", 5, rest.million_more_mb, "MB"),
    most("processor time until idle, 5 HTTP servers", 250, rest.start_cpu_ms, "ms"),
  ];
}

async function startGoals(executable: string, node: string): Promise<Goal[]> {
  const firstCall = await measureFirstCall([executable], node);
  const { executable: start } = await benchStart();
  const known = typeof start === "object" ? start : undefined;
  return [
    most("`--version`, best of the run", 20, known?.version.best_ms, "ms"),
    most("`--version` beside an empty program of the same Node", 1, known?.version.best_ratio, "×"),
    most("start to the first 200, best of the run", 80, known?.first_200.best_ms, "ms"),
    most("start to the first answered call", 1.2, firstCall, "× the byte relay's start"),
  ];
}

async function fleetGoals(node: string): Promise<Goal[]> {
  const { list, search, restart, readyMs, kbEach } = await fleetFigures(node);
  return [
    most("stall of a list of 10,000 tools", 20, list, "ms"),
    most("stall of a search in 10,000 tools", 20, search, "ms"),
    most("stall of a start with 10,000 tools", 20, restart, "ms"),
    most("1,000 servers are ready", 5000, readyMs, "ms"),
    most("memory of each of 1,000 servers", 40, kbEach, "KB"),
  ];
}
