import { router } from "#handlers/router.ts";
import type { App } from "#lib/core/app.ts";
import { callInspector } from "#lib/core/extension/call-inspector.ts";
import { recordDaemonStart } from "#lib/core/verbs/activity/record-daemon.ts";
import { type AppOptions, createApp } from "#lib/create-app.ts";
import { collectAtOnce, collectWhenQuiet, saveMemory, startCollection } from "#lib/daemon/collect-when-quiet.ts";
import { listen } from "#lib/daemon/listen.ts";
import { stop } from "#lib/daemon/stop.ts";
import { watchdogCommands } from "#lib/daemon/watchdog-commands.ts";
import { selfCommand } from "./self.ts";

/** Delay between the start and background work (ms). */
const QUIET_MS = 500;

export interface Daemon {
  app: App;
  /** Stops gracefully, with a reason for the log; a second call waits for the first. */
  end(reason: string): Promise<void>;
}

/**
 * Opens everything that a running proxy consists of: state, endpoints, listeners.
 *
 * @param stdio whether MCP uses standard output
 * @throws Fault config_invalid, database_locked, address_in_use, audit_stdout_refused; everything is closed again then
 */
export async function openDaemon(options: AppOptions, stdio = false): Promise<Daemon> {
  const app = await createApp({ watchdogs: watchdogCommands(), self: selfCommand(), stdio, ...options });
  const handlers = router(app);
  let ended: Promise<void> | undefined;
  let memory: ReturnType<typeof collectWhenQuiet> | undefined;
  try {
    const listeners = await listen(app, {
      node(req, res, listener) {
        memory?.work();
        handlers.node(req, res, listener);
      },
      posts: {
        takes: handlers.posts.takes,
        answer(post, listener) {
          memory?.work();
          handlers.posts.answer(post, listener);
        },
      },
    });
    recordDaemonStart(app);
    const cancel = app.clock.after(QUIET_MS, () =>
      app.log.catch("preparing the detection", Promise.resolve(app.part(callInspector)?.prepare())),
    );
    memory = collectWhenQuiet({
      clock: app.clock,
      workMs: () => performance.eventLoopUtilization().active,
      // Those on standard input are not.
      reportsRequests: !stdio,
      isAnswering: listeners.isAnswering,
      collect: startCollection,
      saveMemory,
      residentMb: () => process.memoryUsage.rss() / 2 ** 20,
      collectAtOnce,
    });
    const end = (reason: string) => {
      cancel();
      memory?.stop();
      ended ??= stop({ app, router: handlers, listeners }, reason);
      return ended;
    };
    return { app, end };
  } catch (error) {
    await stop({ app, router: handlers }, "the start failed");
    throw error;
  }
}
