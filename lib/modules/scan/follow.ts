import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { forgetFiles } from "./files.ts";
import { stateOf } from "./state.ts";

/**
 * Ends scans that cannot complete: scans of an earlier run are marked as failed, records of removed servers are deleted
 * (the integrity baseline remains with their approvals), and current scans are cancelled when the program stops.
 *
 * @returns a function that stops it
 */
export function followScans(app: App): () => Promise<void> {
  const closing = closeEarlierScans(app);
  app.log.catch("closing the scans of an earlier run", closing);
  const stop = app.config.onChange((next, before) => {
    const names = new Set(next.mcpServers.map(({ name }) => name));
    for (const { name } of before.mcpServers) {
      if (names.has(name)) continue;
      const entry = stateOf(app).running.get(name);
      entry?.controller.abort(new Error("the server was removed"));
      const deletion = Promise.resolve(entry?.done).then(() =>
        Promise.all([app.store.scans.removeServer(name), forgetFiles(app, name)]),
      );
      app.log.catch(`deleting the scans of "${name}"`, deletion);
    }
  });
  return async () => {
    stop();
    const { running, batch } = stateOf(app);
    if (batch) batch.waiting = [];
    const entries = [...running.values()];
    for (const { controller } of entries) controller.abort(new Error("the program ends"));
    await Promise.allSettled([...entries.map(({ done }) => done), batch?.done, closing]);
  };
}

async function closeEarlierScans(app: App): Promise<void> {
  for (const { id, server } of await app.store.scans.leftOver()) {
    // A scan of this run may have begun while the rows were read.
    if (stateOf(app).running.get(server)?.job.id === id) continue;
    const completed_at = rfc3339(app.clock.now());
    const end = { status: "failed", completed_at, error: "the proxy stopped during the scan" } as const;
    await app.store.scans.change(id, (row) => ({ ...row, job: { ...row.job, ...end } }));
  }
}
