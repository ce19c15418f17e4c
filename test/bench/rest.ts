import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MALLOC_VARIABLES } from "#lib/daemon/malloc-variables.ts";
import { load, processFacts } from "./load.ts";
import {
  httpServer,
  KEY,
  launchProxy,
  type Stop,
  startProgram,
  startProxy,
  stdioProgram,
  stdioServer,
} from "./programs.ts";

const MINUTE_MS = 60_000;
/** A proxy is at rest when its memory has been the same for so long: V8 returns what is free 8 s after a collection. (ms) */
const SAME_MS = 15_000;
const STEP_MS = 2500;

/** Memory of all that runs for a proxy, its servers apart. (MB) */
export interface Rest {
  private_mb: number;
  resident_mb: number;
  /** More than that with five servers as processes. */
  stdio_more_mb: number;
  /** A minute after 100,000 calls. */
  after_calls_mb: number;
  /** More than that a minute after a million calls; takes ten minutes more, so only where `BENCH_LONG=1` asks for it. */
  million_more_mb?: number;
  /** Processor time from the start until it has done nothing for two seconds, without any request (ms). */
  start_cpu_ms: number;
}

/** @param program the executable, which is what people run */
export async function measureRest(program: readonly string[]): Promise<Rest> {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const http = Array.from({ length: 5 }, (_, i) => httpServer(`http${i}`, upstream.url));
    const only: Stop[] = [];
    const proxy = await launchProxy({ dir, servers: http, stop: only, program, env: MALLOC_VARIABLES });
    stop.push(() => only[0]!());
    const start_cpu_ms = await startCpuMs(proxy.pid);
    await proxy.ready();
    const idle = await atRest(proxy.pid);
    const target = {
      url: `${proxy.url}/mcp/all`,
      headers: { "x-api-key": KEY },
      params: { name: "http0__echo", arguments: { message: "hello" } },
    };
    const residentAfter = async (calls: number) => {
      await load(target, 16, calls);
      await sleep(MINUTE_MS);
      return memoryOf(proxy.pid).resident;
    };
    const after = await residentAfter(100_000);
    const long = process.env.BENCH_LONG === "1" ? await residentAfter(900_000) : undefined;
    await only[0]!();
    const stdio = Array.from({ length: 5 }, (_, i) =>
      stdioServer(`stdio${i}`, [stdioProgram(dir), "--name", `stdio${i}`]),
    );
    const both = await startProxy({ dir, servers: [...http, ...stdio], stop, program, env: MALLOC_VARIABLES });
    const withStdio = await atRest(both.pid);
    return {
      private_mb: Math.round(idle.private),
      resident_mb: Math.round(idle.resident),
      stdio_more_mb: Math.round(withStdio.private - idle.private),
      after_calls_mb: Math.round(after),
      ...(long !== undefined && { million_more_mb: Math.round(long - after) }),
      start_cpu_ms,
    };
  } finally {
    for (const end of stop.reverse()) await end();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Waits until a proxy has been idle for two seconds. @returns the processor time that it has used until then */
async function startCpuMs(pid: number): Promise<number> {
  for (let before = Number.NEGATIVE_INFINITY; ; ) {
    await sleep(2000);
    const { cpu_ms } = processFacts(pid);
    // Timers take less than a tick of the system's clock.
    if (cpu_ms - before <= 10) return cpu_ms;
    before = cpu_ms;
  }
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Waits until the proxy has looked through its servers and memory is returned; at most two minutes. */
async function atRest(pid: number): Promise<Memory> {
  let last = memoryOf(pid);
  for (let same = 0, spent = 0; same < SAME_MS && spent < 2 * MINUTE_MS; spent += STEP_MS) {
    await sleep(STEP_MS);
    const now = memoryOf(pid);
    same = Math.abs(now.private - last.private) < 1 ? same + STEP_MS : 0;
    last = now;
  }
  return last;
}

interface Memory {
  private: number;
  resident: number;
}

/**
 * Of a process and its watchdog. The clean pages of mapped files, which the system shares and may drop, are resident but
 * not private.
 */
function memoryOf(pid: number): Memory {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  const watchdogs = children.filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("watchdog"));
  const sum = { private: 0, resident: 0 };
  for (const one of [pid, ...watchdogs]) {
    const text = readFileSync(`/proc/${one}/smaps_rollup`, "utf8");
    const mb = (what: string) => Number(new RegExp(`^${what}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) / 1024;
    sum.private += mb("Private_Dirty");
    sum.resident += mb("Rss");
  }
  return sum;
}
