import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";

/**
 * Calls `end` when the server is removed, disabled or quarantined. It is used for calls that wait for a person's
 * answer, because a new call would then be rejected.
 *
 * @returns a function that stops watching
 */
export function endWithServer(app: Pick<App, "config">, server: string, end: (fault: Fault) => void): () => void {
  const stop = app.config.onChange(() => {
    const fault = serverLoss(app, server);
    if (!fault) return;
    stop();
    end(fault);
  });
  return stop;
}

/** Returns why a server may no longer be used; undefined if it may. */
export function serverLoss({ config }: Pick<App, "config">, server: string): Fault | undefined {
  const entry = config.server(server);
  const loss = !entry ? "removed" : !entry.enabled ? "disabled" : config.quarantined(entry) ? "quarantined" : undefined;
  const reason = `it was ${loss} while the call waited for an answer`;
  return loss && new Fault("server_not_ready", { server, state: "Disconnected", reason });
}
