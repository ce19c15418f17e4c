import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";

/**
 * Calls `end` when the server is removed, disabled or quarantined, for a call that waits for a person's answer: a new call
 * would be rejected then.
 *
 * @returns what ends the watch
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

/** Why a server is used no longer; undefined if it is. */
export function serverLoss({ config }: Pick<App, "config">, server: string): Fault | undefined {
  const entry = config.server(server);
  const loss = !entry ? "removed" : !entry.enabled ? "disabled" : config.quarantined(entry) ? "quarantined" : undefined;
  const reason = `it was ${loss} while the call waited for an answer`;
  return loss && new Fault("server_not_ready", { server, state: "Disconnected", reason });
}
