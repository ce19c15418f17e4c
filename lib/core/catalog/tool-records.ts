import { reasonOf } from "../base/fault.ts";
import { plural } from "../base/plural.ts";
import type { Logger } from "../log/logger.ts";
import type { ApprovalRow } from "../schema/tool.ts";
import type { Store } from "../store/store.ts";
import { inSlices } from "./slices.ts";

/** The stored approvals of the tools of each server. */
export interface ToolRecords {
  of(server: string): Map<string, ApprovalRow>;
  /**
   * True if the first listing of a server is trusted: it has listed nothing yet, and an operator made its entry with
   * `quarantined: false`.
   */
  hasOpenBaseline(server: string): boolean;
  /**
   * Writes the records that a complete listing changed. Returns the names of tools whose records could not be written.
   * An outage is logged once per server.
   */
  write(server: string, rows: readonly ApprovalRow[]): Promise<Set<string>>;
  forget(server: string): void;
}

/** Maximum number of rows in one write. Larger listings are split, so that other work can run in between. */
const TOGETHER = 100;

export function createToolRecords(store: Pick<Store, "approvals" | "knownServers">, log: Logger): ToolRecords {
  /** Tools whose records could not be written, by server. */
  const failed = new Map<string, ReadonlySet<string>>();

  /**
   * Returns the records whose last write failed. The copy in memory may contain them although the disk does not, so
   * they are written again.
   */
  function unwrittenRows(server: string): ApprovalRow[] {
    const names = failed.get(server);
    return names ? store.approvals.of(server).filter((row) => names.has(row.tool)) : [];
  }

  /** Writes the records in groups, each in its own transaction. */
  async function putAll(rows: readonly ApprovalRow[]): Promise<void> {
    if (rows.length <= TOGETHER) return store.approvals.put(rows);
    const puts: Promise<void>[] = [];
    await inSlices(rows, TOGETHER, (some) => {
      const durable = store.approvals.put(some);
      // Awaited below; until then this avoids a report of an unhandled rejection by Node.
      durable.catch(() => {});
      puts.push(durable);
    });
    await Promise.all(puts);
  }

  async function closeBaseline(server: string): Promise<void> {
    const record = store.knownServers.get(server);
    if (record?.baseline === "open") await store.knownServers.put([{ ...record, baseline: "closed" }]);
  }

  return {
    of: (server) => new Map(store.approvals.of(server).map((record) => [record.tool, record])),

    hasOpenBaseline: (server) => store.knownServers.get(server)?.baseline === "open",

    async write(server, rows) {
      const byTool = new Map([...unwrittenRows(server), ...rows].map((row) => [row.tool, row]));
      try {
        // Closing the baseline is queued before the approvals: after a crash in between, the listed tools wait for
        // approval.
        const closed = closeBaseline(server);
        await Promise.all([closed, byTool.size > 0 && putAll([...byTool.values()])]);
        if (failed.delete(server)) log.info(`approval records of server "${server}" have now been written`);
        return new Set();
      } catch (error) {
        const what = `approval records of ${plural(byTool.size, "tool")} of server "${server}" could not be written`;
        const reason = reasonOf(error);
        if (failed.has(server)) log.debug(what, { reason });
        else
          log.error(`${what}; these tools cannot be called until the proxy, which keeps trying, has written them`, {
            reason,
          });
        const names = new Set(byTool.keys());
        failed.set(server, names);
        return names;
      }
    },

    forget: (server) => void failed.delete(server),
  };
}
