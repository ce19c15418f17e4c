import { type App, part } from "../../core/app.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { LISTED_KINDS } from "../../core/schema/item.ts";
import { isStandingRead, readStandings } from "./standing.ts";

/** A list of servers waits for the scans of at most this many tools and other items, which take half a second. */
const MAX_AWAITED = 2000;

/**
 * Like `readStandings`, for a list of all servers. The first scan of 10,000 items takes seconds, so if more items are not
 * scanned, the list is returned without them. They are scanned in the background, and `servers.changed` with
 * `scan_settled` is published when the next list contains them.
 */
export async function readListStandings(app: App, caller: Pick<Caller, "tier">, maxAwaited = MAX_AWAITED) {
  if (caller.tier !== "admin") return;
  const missing = app.config.current().mcpServers.filter(({ name }) => !isStandingRead(app, name));
  let items = 0;
  for (const { name } of missing) {
    items += app.catalog.of(name).length;
    for (const kind of LISTED_KINDS) items += app.catalog.items.of(name, kind).length;
  }
  if (items > maxAwaited) app.part(backgroundStandings).read(missing);
  else await readStandings(app, caller, missing);
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
