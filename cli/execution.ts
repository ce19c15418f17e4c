import type { Send } from "#lib/client/client.ts";
import { type Executed, type Execution, execute } from "#lib/client/execute.ts";
import { systemClock } from "#lib/core/base/clock.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { requestId } from "#lib/core/base/id.ts";
import type { Cli } from "./cli.ts";
import { caller } from "./daemon.ts";
import { type Spinner, spinner } from "./spinner.ts";
import type { Wants } from "./standalone.ts";

/** Longest execution that can be asked for. (ms; spec 001 §8) */
export const MAX_TIMEOUT_MS = 600_000;
/** Longest wait for a sandbox that can be configured (`code_execution_queue_timeout_ms`). (ms) */
const MAX_QUEUE_MS = 600_000;
/** For all else that is not the execution itself. (ms) */
const SLACK_MS = 30_000;
/** How often the calls made so far are counted. (ms) */
const COUNT_MS = 500;
/** A data directory may just be opened by a starting proxy, or closed by one that stops or another `code exec`. (ms) */
const LOCK_WAIT_MS = 3000;
const LOCK_POLL_MS = 250;

/**
 * Has code executed by the running proxy, or, when none runs and no other was named, in this process. On a terminal it
 * shows meanwhile what is being called.
 */
export async function execution(cli: Cli, asked: Execution): Promise<Executed> {
  const shown = spinner(cli.stderr);
  const by = (send: Send) => watched(cli, send, asked, shown);
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
        return await standalone(cli, wants(asked), shown, by);
      } catch (error) {
        if (!isFault(error, "database_locked")) throw error;
        if (systemClock.now() >= lastTry)
          throw new Fault("database_locked", { dir: String(error.facts.dir), silent: true }, { cause: error });
        shown.say("waiting for another process to release the data directory");
        await systemClock.sleep(LOCK_POLL_MS, cli.signal);
      }
    }
  } finally {
    shown.stop();
  }
}

const isFault = (error: unknown, code: Fault["code"]): error is Fault =>
  error instanceof Fault && (error as Fault).code === code;

/** Source that never names them cannot reach the functions that call tools, short of disguise. */
function wants(asked: Execution): Wants {
  const { code, options } = asked;
  return {
    tools: code === undefined || code.includes("call_tool"),
    servers: async (app) => (await import("#lib/modules/code/servers-named.ts")).serversNamed(app, asked),
    timeoutMs: options?.timeout_ms,
  };
}

async function watched({ signal }: Cli, send: Send, asked: Execution, shown: Spinner): Promise<Executed> {
  const id = requestId(undefined);
  const over = new AbortController();
  const counting = shown.seen ? count(send, id, shown, over.signal) : Promise.resolve();
  try {
    const timeoutMs = (asked.options?.timeout_ms ?? MAX_TIMEOUT_MS) + MAX_QUEUE_MS + SLACK_MS;
    return await execute(send, asked, { signal, timeoutMs, requestId: id });
  } finally {
    over.abort();
    await counting;
  }
}

/** Reads from the records how many calls there were and which was the last, until told to end. */
async function count(send: Send, id: string, shown: Spinner, signal: AbortSignal): Promise<void> {
  const call = caller(send, signal);
  shown.say("running");
  try {
    for (;;) {
      await systemClock.sleep(COUNT_MS, signal);
      const { total, calls = [] } = await call("GET /api/v1/sessions", { query: { parent_id: id, limit: "1" } });
      const [last] = calls;
      if (last)
        shown.say(`running, ${total} call${total === 1 ? "" : "s"}, last ${last.server_name}:${last.tool_name}`);
    }
  } catch {
    // The end, or a key that may not read records; then time is all that is shown.
  }
}
