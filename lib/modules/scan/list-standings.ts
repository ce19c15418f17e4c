import { type App, part } from "../../core/app.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { LISTED_KINDS } from "../../core/schema/item.ts";
import { readStandings } from "./standing.ts";

/** A list of servers always waits for the scans of this many tools and other items, and for this time for more. */
const LIMITS = { listed: 2000, ms: 1000 };

/**
 * Like `readStandings`, for a list of all servers. The first scan of 10,000 items takes seconds, so beyond the limits
 * the list is returned without the missing scans. They continue in the background; `servers.changed` with
 * `scan_settled` is published when the next list contains them.
 */
export async function readListStandings(app: App, caller: Pick<Caller, "tier">, limits = LIMITS): Promise<void> {
  if (caller.tier !== "admin") return;
  const servers = app.config.current().mcpServers;
  const until = performance.now() + limits.ms;
  let listed = 0;
  for (const [i, server] of servers.entries()) {
    if (listed > limits.listed && performance.now() > until)
      return app.part(backgroundStandings).read(servers.slice(i));
    await readStandings(app, caller, [server]);
    listed += app.catalog.of(server.name).length;
    for (const kind of LISTED_KINDS) listed += app.catalog.items.of(server.name, kind).length;
  }
}

interface BackgroundStandings {
  /** Scans these servers, unless a scan is in progress; a later list then requests what is still missing. */
  read(servers: readonly { readonly name: string }[]): void;
  close(): Promise<void>;
}

const backgroundStandings = part<BackgroundStandings>(
  "backgroundStandings",
  (app) => {
    let isClosed = false;
    let reading: Promise<void> | undefined;
    const readAll = async (servers: readonly { readonly name: string }[]) => {
      for (const server of servers) {
        if (isClosed) return;
        await readStandings(app, { tier: "admin" }, [server]);
      }
      app.events.publish("servers.changed", { reason: "scan_settled" });
    };
    return {
      read(servers) {
        reading ??= readAll(servers)
          .catch((error: unknown) => app.log.warn("servers could not be scanned for their list", { error }))
          .finally(() => {
            reading = undefined;
          });
      },
      async close() {
        isClosed = true;
        await reading;
      },
    };
  },
  (standings) => standings.close(),
);
