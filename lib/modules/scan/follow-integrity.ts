import type { App } from "../../core/app.ts";
import { durationMs } from "../../core/base/clock.ts";
import { isQuarantined } from "../../core/config/quarantined.ts";
import { takeBaseline, watchOver } from "./integrity.ts";

/** Delay of the check after a server connected (ms). */
const SETTLE_MS = 5000;
const USUAL_MS = 6 * 3_600_000;

/**
 * Records each server's state when its quarantine is lifted, and checks for changes regularly
 * (`security.integrity_check_interval`, `security.integrity_check_on_restart`).
 *
 * @returns a function that stops it
 */
export function followIntegrity(app: App): () => Promise<void> {
  const stopped = new AbortController();
  const waiting = new Map<string, () => void>();
  // Serial, because reading a program's files is background work.
  let last: Promise<unknown> = Promise.resolve();
  const later = (what: string, work: () => Promise<void>) => {
    const mine = last
      .then(() => (stopped.signal.aborted ? undefined : work()))
      .catch((error) => {
        if (!stopped.signal.aborted) throw error;
      });
    last = mine.catch(() => {});
    app.log.catch(what, mine);
  };
  const look = (server: string) =>
    later(`checking the integrity of server "${server}"`, () => watchOver(app, server, stopped.signal));
  const soon = (server: string) => {
    waiting.get(server)?.();
    const due = () => {
      waiting.delete(server);
      look(server);
    };
    waiting.set(server, app.clock.after(SETTLE_MS, due));
  };

  const stopEvents = app.events.subscribe(["servers.changed"], ({ data }) => {
    if (data.reason !== "server_connected" || data.server === undefined) return;
    if (app.config.current().security.integrity_check_on_restart) soon(data.server);
  });
  const stopConfig = app.config.onChange((next, before) => {
    if (next.security.integrity_check_interval !== before.security.integrity_check_interval) tick();
    const quarantinedNames = new Set(
      before.mcpServers.filter((one) => isQuarantined(one, before)).map(({ name }) => name),
    );
    for (const server of next.mcpServers) {
      if (!quarantinedNames.has(server.name) || isQuarantined(server, next)) continue;
      later(`recording the state of server "${server.name}"`, () => takeBaseline(app, server.name, "release"));
    }
  });
  let stopTimer = () => {};
  const tick = () => {
    stopTimer();
    const pause = durationMs(app.config.current().security.integrity_check_interval) ?? USUAL_MS;
    stopTimer = app.clock.after(pause || USUAL_MS, () => {
      if (pause > 0) for (const { name } of app.config.current().mcpServers) look(name);
      tick();
    });
  };
  tick();
  return async () => {
    stopped.abort(new Error("the program ends"));
    stopEvents();
    stopConfig();
    stopTimer();
    for (const cancel of waiting.values()) cancel();
    await last;
  };
}
