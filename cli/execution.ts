import type { Send } from "#lib/client/client.ts";
import { type Executed, type Execution, execute } from "#lib/client/execute.ts";
import { systemClock } from "#lib/core/base/clock.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { requestId } from "#lib/core/base/id.ts";
import type { Cli } from "./cli.ts";
import { caller } from "./daemon.ts";
import { type Spinner, spinner } from "./spinner.ts";
import type { Wants } from "./standalone.ts";

/** Longest timeout of an execution (ms; spec 001 §8). */
export const MAX_TIMEOUT_MS = 600_000;
/** Longest configurable wait for a sandbox (`code_execution_queue_timeout_ms`) (ms). */
const MAX_QUEUE_MS = 600_000;
/** Additional time for everything except the execution (ms). */
const SLACK_MS = 30_000;
/** Interval between counts of the calls (ms). */
const COUNT_MS = 500;
/**
 * How long to wait for the lock of the data directory, which a starting or stopping proxy or another `code exec` may
 * hold (ms).
 */
const LOCK_WAIT_MS = 3000;
const LOCK_POLL_MS = 250;

/**
 * Runs code in the running proxy, or in this process if none runs and none was selected. At a terminal it shows the
 * current call.
 */
export async function execution(cli: Cli, request: Execution): Promise<Executed> {
  const progress = spinner(cli.stderr);
  const by = (send: Send) => watched(cli, send, request, progress);
  const lastTry = systemClock.now() + LOCK_WAIT_MS;
  try {
    for (;;) {
      try {
        return await by(cli.send);
      } catch (error) {
        if (!isFault(error, "daemon_not_running") || cli.globals.url || cli.env.SERVICE_URL) throw error;
      }
      try {
        const { standalone } = await import("./standalone.ts");
        return await standalone(cli, wants(request), progress, by);
      } catch (error) {
        if (!isFault(error, "database_locked")) throw error;
        if (systemClock.now() >= lastTry)
          throw new Fault("database_locked", { dir: String(error.facts.dir), silent: true }, { cause: error });
        progress.say("waiting for another process to release the data directory");
        await systemClock.sleep(LOCK_POLL_MS, cli.signal);
      }
    }
  } finally {
    progress.stop();
  }
}

const isFault = (error: unknown, code: Fault["code"]): error is Fault =>
  error instanceof Fault && (error as Fault).code === code;

/** Source without these names calls no tool, unless it is obfuscated. */
function wants(request: Execution): Wants {
  const { code, options } = request;
  return {
    tools: code === undefined || code.includes("call_tool"),
    servers: async (app) => (await import("#lib/modules/code/servers-named.ts")).serversNamed(app, request),
    timeoutMs: options?.timeout_ms,
  };
}

async function watched({ signal }: Cli, send: Send, request: Execution, progress: Spinner): Promise<Executed> {
  const id = requestId(undefined);
  const over = new AbortController();
  const counting = progress.seen ? count(send, id, progress, over.signal) : Promise.resolve();
  try {
    const timeoutMs = (request.options?.timeout_ms ?? MAX_TIMEOUT_MS) + MAX_QUEUE_MS + SLACK_MS;
    return await execute(send, request, { signal, timeoutMs, requestId: id });
  } finally {
    over.abort();
    await counting;
  }
}

/** Counts the calls and shows the last one, from the activity records, until aborted. */
async function count(send: Send, id: string, progress: Spinner, signal: AbortSignal): Promise<void> {
  const call = caller(send, signal);
  progress.say("running");
  try {
    for (;;) {
      await systemClock.sleep(COUNT_MS, signal);
      const { total, calls = [] } = await call("GET /api/v1/sessions", { query: { parent_id: id, limit: "1" } });
      const [last] = calls;
      if (last)
        progress.say(`running, ${total} call${total === 1 ? "" : "s"}, last ${last.server_name}:${last.tool_name}`);
    }
  } catch {
    // The execution ended, or the key may not read records; then only the time is shown.
  }
}
