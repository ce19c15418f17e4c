import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Load, load, processFacts, round, type Target } from "./load.ts";
import { httpServer, KEY, type Stop, startProgram, startProxy, stdioProgram, stdioServer } from "./programs.ts";

/** Figures of one way to the same upstream tool. */
export interface Hop extends Load {
  name: string;
  calls_per_s_16: number;
  calls_per_s_64: number;
  p99_ms_16: number;
  /** Processor time of the relay itself per call at concurrency 16 (µs). */
  cpu_us: number;
  rss_mb: number;
}

const CALLS = Number(process.env.BENCH_CALLS ?? 8000);

/**
 * Measures the same echo call made directly, through relays that do nothing but relay, through an SDK-on-SDK relay, and
 * through the proxy with policy and activity on. One run, one machine, alternating: trust the ratios.
 */
export async function benchHop(): Promise<Record<string, Hop[]>> {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const stdio = [stdioProgram(dir)];
    const bare = await startProgram(["test/bench/relays/bare.mjs", "--upstream", upstream.url], stop);
    const bareStdio = await startProgram(["test/bench/relays/bare-stdio.mjs", "--", process.execPath, ...stdio], stop);
    const sdk = await startProgram(["test/bench/relays/sdk.mjs", "--upstream", upstream.url], stop);
    const proxy = await startProxy({
      dir,
      servers: [httpServer("http", upstream.url), stdioServer("stdio", stdio)],
      stop,
    });
    const echo = (name: string) => ({ name, arguments: { message: "hello" } });
    const through = (server: string, mount: string): Target => ({
      url: `${proxy.url}${mount}`,
      headers: { "x-api-key": KEY },
      params:
        mount === "/mcp/all"
          ? echo(`${server}__echo`)
          : {
              name: "call_tool_read",
              arguments: {
                name: `${server}:echo`,
                args_json: '{"message":"hello"}',
                intent: { operation_type: "read" },
              },
            },
    });
    const http: [string, Target, number][] = [
      ["direct", { url: upstream.url, params: echo("echo") }, upstream.pid],
      ["bare relay", { url: bare.url, params: echo("echo") }, bare.pid],
      ["sdk relay", { url: sdk.url, params: echo("echo") }, sdk.pid],
      ["proxy /mcp/all", through("http", "/mcp/all"), proxy.pid],
      ["proxy /mcp", through("http", "/mcp"), proxy.pid],
    ];
    const pipes: [string, Target, number][] = [
      ["bare stdio relay", { url: bareStdio.url, params: echo("echo") }, bareStdio.pid],
      ["proxy /mcp/all", through("stdio", "/mcp/all"), proxy.pid],
    ];
    return { http: await measure(http), stdio: await measure(pipes) };
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(ways: [string, Target, number][]): Promise<Hop[]> {
  // Everybody warms up before anybody is measured.
  for (const [, target] of ways) await load(target, 16, Math.ceil(CALLS / 4));
  const out: Hop[] = [];
  for (const [name, target, pid] of ways) {
    const calls = name.startsWith("sdk") ? Math.ceil(CALLS / 4) : CALLS;
    const one = await load(target, 1, Math.ceil(calls / 4));
    const before = processFacts(pid).cpu_ms;
    const sixteen = await load(target, 16, calls);
    const cpu = processFacts(pid).cpu_ms - before;
    const sixtyFour = await load(target, 64, calls);
    out.push({
      name,
      ...one,
      calls_per_s_16: sixteen.calls_per_s,
      p99_ms_16: sixteen.p99_ms,
      calls_per_s_64: sixtyFour.calls_per_s,
      cpu_us: round((cpu * 1000) / calls),
      rss_mb: processFacts(pid).rss_mb,
    });
  }
  return out;
}

/** Memory of a proxy at rest and after many calls; flat means that nothing gathers. */
export async function benchMemory(
  calls = Number(process.env.BENCH_MEMORY_CALLS ?? 100_000),
): Promise<Record<string, number>> {
  const stop: Stop[] = [];
  const dir = mkdtempSync(join(tmpdir(), "proxy-bench-"));
  try {
    const upstream = await startProgram(["test/programs/upstream-http.mjs", "--port", "0"], stop);
    const proxy = await startProxy({ dir, servers: [httpServer("http", upstream.url)], stop });
    const target: Target = {
      url: `${proxy.url}/mcp/all`,
      headers: { "x-api-key": KEY },
      params: { name: "http__echo", arguments: { message: "x" } },
    };
    const idle = processFacts(proxy.pid).rss_mb;
    const out: Record<string, number> = { rss_idle_mb: idle };
    for (const part of [0.1, 0.5, 1]) {
      await load(target, 16, Math.round(calls * (part === 0.1 ? 0.1 : part === 0.5 ? 0.4 : 0.5)));
      out[`rss_after_${Math.round(calls * part)}_mb`] = processFacts(proxy.pid).rss_mb;
    }
    return out;
  } finally {
    await Promise.all(stop.map((end) => end()));
    rmSync(dir, { recursive: true, force: true });
  }
}
