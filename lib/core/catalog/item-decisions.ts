import type { Clock } from "../base/clock.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { ListedKind } from "../schema/item.ts";
import type { Store } from "../store/store.ts";
import { decideItems, itemTrustOf } from "./decide-items.ts";
import type { ItemRecords } from "./item-records.ts";
import type { ItemScans } from "./item-scans.ts";
import type { PinnedItem } from "./read-item.ts";

interface ItemDecisionParts {
  config: Pick<LiveConfig, "current" | "server" | "quarantined">;
  store: Pick<Store, "evidence">;
  records: Pick<ItemRecords, "of">;
  scans: Pick<ItemScans, "scan" | "prepare">;
  clock: Pick<Clock, "now">;
  /** True if this is the first list of the kind in this run, and the server's listings are trusted as its baseline. */
  mayBeBaseline(server: string, kind: ListedKind): boolean;
  /** True if the scan finds nothing in the server's instructions. */
  isServerClean(server: string): boolean;
}

/** Returns how a listing decides about each of its items; undefined if the server was removed. */
type DecideListing = (
  server: string,
  kind: ListedKind,
  found: ReadonlyMap<string, PinnedItem>,
) => Promise<ReturnType<typeof decideItems> | undefined>;

/** Makes the function that decides about a listing according to configuration, records and scan. */
export function createItemDecisions(parts: ItemDecisionParts): DecideListing {
  const { config, store, records, scans, clock } = parts;
  const prepareUndecided = async (server: string, kind: ListedKind, found: ReadonlyMap<string, PinnedItem>) => {
    const recorded = records.of(server, kind);
    for (const { name, definition, hash } of found.values())
      if (recorded.get(name)?.approvedHash !== hash) await scans.prepare(kind, definition, hash);
  };
  return async (server, kind, found) => {
    const serverConfig = config.server(server);
    if (!serverConfig) return undefined;
    const trust = itemTrustOf(kind, serverConfig, {
      quarantineEnabled: config.current().quarantine_enabled,
      quarantined: config.quarantined(serverConfig),
      baseline: records.of(server, kind).size === 0 && parts.mayBeBaseline(server, kind),
      evidenceLost: store.evidence.state === "lost",
    });
    // These items are scanned even if a person decides, because the log counts those with findings.
    if (!trust.everything) await prepareUndecided(server, kind, found);
    const isServerClean = trust.scanRule !== undefined || !trust.scan || parts.isServerClean(server);
    return decideItems({
      server,
      kind,
      trust,
      now: clock.now(),
      isClean: ({ definition, hash }) =>
        isServerClean && scans.scan(server, kind, definition, hash).verdict === "clean",
    });
  };
}
