import { existsSync } from "node:fs";
import { Writable } from "node:stream";
import { router } from "#handlers/router.ts";
import type { Send } from "#lib/client/client.ts";
import { local } from "#lib/client/local.ts";
import type { App } from "#lib/core/app.ts";
import { configPath } from "#lib/core/config/paths.ts";
import { createApp } from "#lib/create-app.ts";
import { watchdogCommands } from "#lib/daemon/watchdog-commands.ts";
import type { Cli } from "./cli.ts";
import { UsageError } from "./exit.ts";
import type { Spinner } from "./spinner.ts";
import { AGENT, version } from "./version.ts";

/** What the work needs of the configured servers. */
export interface Wants {
  /** Whether it can call tools; if not, no server is connected. */
  tools: boolean;
  /** The servers to connect first; any other is connected when it is used. */
  servers?(app: App): Promise<readonly string[]>;
  /** Timeout for these servers; by default the configured timeout of an execution (ms). */
  timeoutMs?: number | undefined;
}

/**
 * Does some work without a daemon: opens the App in this process, without listeners, and closes it again. Its log goes
 * to standard error.
 *
 * @throws Fault database_locked while another process uses the data directory; UsageError without a configuration,
 *   Fault config_invalid
 */
export async function standalone<T>(
  { globals, env, signal }: Cli,
  wants: Wants,
  progress: Spinner,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const { config, dataDir, logLevel } = globals;
  const path = configPath({ path: config, dataDir, env });
  // Only `serve` creates a configuration: without one, the path is wrong or the machine is new.
  if (!existsSync(path)) throw new UsageError(`configuration file ${path} does not exist; create it with: proxy serve`);
  const app = await createApp({
    version,
    env,
    configPath: config,
    dataDir,
    flags: logLevel && { logging: { level: logLevel } },
    connect: wants.tools && "on use",
    watchdogs: watchdogCommands(),
    logTo: new Writable({
      write(chunk, _, done) {
        progress.print(String(chunk));
        done();
      },
    }),
  });
  const handlers = router(app);
  // Keeps the process alive while it waits for a server, which nothing else does.
  const hold = setInterval(() => undefined, 2 ** 30);
  try {
    if (wants.tools) await settled(app, wants, progress, signal);
    return await work(local(handlers, AGENT));
  } finally {
    clearInterval(hold);
    await handlers.close();
    await app.close();
  }
}

/** Waits until each of these servers is ready with its tools, or has failed. */
async function settled(app: App, { servers, timeoutMs }: Wants, progress: Spinner, signal: AbortSignal): Promise<void> {
  const limitMs = timeoutMs ?? app.config.current().code_execution_timeout_ms;
  const waiting = new Set(await servers?.(app));
  if (waiting.size === 0) return;
  const say = () => progress.say(`connecting to ${[...waiting].join(", ")}`);
  say();
  const all = [...waiting].map(async (name) => {
    const upstream = app.upstreams.get(name);
    // A failure is logged, and reported by the first call to the server.
    await upstream
      ?.ensureReady(limitMs, signal)
      .then(() => upstream.discover("a script is about to run"))
      .catch(() => undefined);
    waiting.delete(name);
    say();
  });
  const over = new AbortController();
  try {
    await Promise.race([Promise.all(all), app.clock.sleep(limitMs, AbortSignal.any([signal, over.signal]))]);
  } finally {
    over.abort();
  }
}
