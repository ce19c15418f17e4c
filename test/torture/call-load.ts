import { setTimeout as sleep } from "node:timers/promises";
import { newer } from "#test/kit/era.ts";
import { INITIALIZE, toolCall } from "#test/kit/mcp.ts";

/** What clients saw while they called a tool again and again. */
export interface CallCounts {
  answered: number;
  /** Why calls failed. */
  readonly failed: string[];
  /** Sessions that a client of 2025 had to open again. */
  reopened: number;
}

interface CallLoadOptions {
  /** Address of the endpoint. */
  readonly url: string;
  readonly tool: string;
  readonly clients: number;
  /** Returns the arguments of each call. */
  readonly args?: () => object;
  /** Pause of a client between two calls. (ms) */
  readonly pauseMs?: number;
}

/** Clients that call until they are stopped. */
export interface CallLoad {
  readonly counts: CallCounts;
  stop(): Promise<CallCounts>;
}

/** Clients of 2026-07-28, which have no session. */
export function startNewerLoad(options: CallLoadOptions): CallLoad {
  return startLoad(options, (counts) => async () => {
    const { message, headers } = newer("tools/call", { name: options.tool, arguments: options.args?.() ?? {} });
    count(counts, await post(options.url, message, headers as Record<string, string>));
  });
}

/** Clients of 2025-11-25, each with a session. */
export function startOlderLoad(options: CallLoadOptions): CallLoad {
  return startLoad(options, (counts) => {
    let session: string | undefined;
    return async () => {
      if (session === undefined) {
        const opened = await post(options.url, INITIALIZE, {});
        session = opened.session;
        if (session === undefined) return count(counts, opened);
      }
      const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
      const said = await post(options.url, toolCall(options.tool, options.args?.() ?? {}), headers);
      if (said.status !== 404) return count(counts, said);
      session = undefined;
      counts.reopened++;
    };
  });
}

function startLoad(
  { clients, pauseMs = 20 }: CallLoadOptions,
  client: (counts: CallCounts) => () => Promise<void>,
): CallLoad {
  const counts: CallCounts = { answered: 0, failed: [], reopened: 0 };
  let isStopped = false;
  const run = async () => {
    const call = client(counts);
    while (!isStopped) {
      try {
        await call();
      } catch (error) {
        counts.failed.push(error instanceof Error ? `${error.message} ${error.cause ?? ""}` : String(error));
      }
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  };
  const running = Array.from({ length: clients }, run);
  return {
    counts,
    async stop() {
      isStopped = true;
      await Promise.all(running);
      return counts;
    },
  };
}

interface Said {
  readonly status: number;
  readonly text: string;
  readonly session: string | undefined;
}

async function post(url: string, message: unknown, headers: Record<string, string>): Promise<Said> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  return { status: response.status, text, session: response.headers.get("mcp-session-id") ?? undefined };
}

/** A call is answered if its result is no error. */
function count(counts: CallCounts, { status, text }: Said): void {
  if (status === 200 && text.includes('"result"') && !text.includes('"isError":true')) counts.answered++;
  else counts.failed.push(`${status} ${text.slice(0, 300)}`);
}
