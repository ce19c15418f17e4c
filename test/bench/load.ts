import { readFileSync } from "node:fs";
import { Pool } from "undici";
import { openEventStream } from "./event-stream.ts";

/** One MCP endpoint under load: how to open it and what to send. */
export interface Target {
  url: string;
  headers?: Record<string, string>;
  /** `params` of each tools/call. */
  params: unknown;
  /** The HTTP+SSE transport of 2024-11-05: all answers come over one event stream. */
  eventStream?: boolean;
}

export interface Load {
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  calls_per_s: number;
  /** Calls that were made. */
  calls: number;
}

/** A session that calls one tool. */
export interface LoadClient {
  /** Makes `calls` calls; none begins after `limitMs`. @returns the duration of each (ms), in the order in which they ended */
  call(calls: number, limitMs?: number): Promise<number[]>;
  close(): Promise<void>;
}

/** Opens a session, calls a tool in it at the given concurrency and returns latencies. No call begins after `limitMs`. */
export async function load(target: Target, concurrency: number, calls: number, limitMs = Infinity): Promise<Load> {
  const client = await openLoadClient(target, concurrency);
  const from = performance.now();
  const times = await client.call(calls, limitMs);
  const seconds = (performance.now() - from) / 1000;
  await client.close();
  times.sort((a, b) => a - b);
  const at = (q: number) => round(times[Math.min(times.length - 1, Math.floor(times.length * q))]!);
  const made = times.length;
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), calls_per_s: Math.round(made / seconds), calls: made };
}

/** Opens a session over raw undici and makes one call in it. */
export async function openLoadClient(target: Target, concurrency: number): Promise<LoadClient> {
  const url = new URL(target.url);
  const pool = new Pool(url.origin, { connections: concurrency, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...target.headers,
  };
  const stream = target.eventStream ? await openEventStream(target.url) : undefined;
  const path = stream?.path ?? url.pathname;
  const send = (message: unknown) =>
    new Promise<{ headers: Record<string, unknown>; text: string }>((done, fail) => {
      const chunks: Buffer[] = [];
      let answer: Record<string, unknown> = {};
      pool.dispatch(
        { method: "POST", path, headers, body: JSON.stringify(message) },
        {
          onRequestStart() {},
          onResponseStart(_c, status, found) {
            answer = found;
            if (status >= 400) fail(new Error(`HTTP ${status} from ${target.url}`));
          },
          onResponseData: (_c, chunk) => void chunks.push(chunk),
          onResponseEnd: () => done({ headers: answer, text: Buffer.concat(chunks).toString() }),
          onResponseError: (_c, error) => fail(error),
        },
      );
    });
  const post = async (message: { id?: number; [member: string]: unknown }) => {
    if (!stream || message.id === undefined) return send(message);
    const [text, { headers: found }] = await Promise.all([stream.answer(message.id), send(message)]);
    return { headers: found, text };
  };
  const opened = await post({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
  });
  const session = opened.headers["mcp-session-id"];
  if (typeof session === "string") headers["mcp-session-id"] = session;
  await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  const first = await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: target.params });
  if (!first.text.includes('"result"') || first.text.includes('"isError":true'))
    throw new Error(`${target.url} answers ${first.text.slice(0, 300)}`);

  let id = 2;
  return {
    async call(calls, limitMs = Infinity) {
      let left = calls;
      const times: number[] = [];
      const end = performance.now() + limitMs;
      const worker = async () => {
        while (left-- > 0) {
          const from = performance.now();
          if (from > end) return;
          await post({ jsonrpc: "2.0", id: id++, method: "tools/call", params: target.params });
          times.push(performance.now() - from);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      return times;
    },
    async close() {
      stream?.close();
      await pool.destroy();
    },
  };
}

/** Resident memory of a process (MB) and its CPU time so far (ms); Linux only, zeros elsewhere. */
export function processFacts(pid: number): { rss_mb: number; cpu_ms: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Clock ticks are 10 ms on every Linux that matters (USER_HZ = 100).
    return {
      rss_mb: round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024),
      cpu_ms: (Number(fields[11]) + Number(fields[12])) * 10,
    };
  } catch {
    return { rss_mb: 0, cpu_ms: 0 };
  }
}

export const round = (n: number) => Math.round(n * 1000) / 1000;
