import { reasonOf } from "../base/fault.ts";
import { plural } from "../base/plural.ts";
import type { Logger } from "../log/logger.ts";
import type { ApprovalRow } from "../schema/tool.ts";
import type { Store } from "../store/store.ts";
import { inSlices } from "./slices.ts";

/** What the store keeps of the tools of each server. */
interface ToolRecords {
  of(server: string): Map<string, ApprovalRow>;
  /** Whether its first listing is trusted: nothing was listed before, and an operator said so when making the entry. */
  hasOpenBaseline(server: string): boolean;
  /**
   * Writes what a complete listing came to. Answers the names of the tools whose records could not be written; an
   * outage is logged once for each server.
   */
  write(server: string, rows: readonly ApprovalRow[]): Promise<Set<string>>;
  forget(server: string): void;
}

/** Most rows of one write. A listing of thousands is made of several, so that the loop stays free. */
const TOGETHER = 100;

export function createToolRecords(store: Pick<Store, "approvals" | "knownServers">, log: Logger): ToolRecords {
  /** Tools whose records could not be written, by server. */
  const failed = new Map<string, ReadonlySet<string>>();

  /** What failed may read well for now; only a write that succeeds says that it is kept. */
  function doubtful(server: string): ApprovalRow[] {
    const names = failed.get(server);
    return names ? store.approvals.of(server).filter((row) => names.has(row.tool)) : [];
  }

  /** Few in one write, and so in one transaction. */
  async function putAll(rows: readonly ApprovalRow[]): Promise<void> {
    if (rows.length <= TOGETHER) return store.approvals.put(rows);
    const puts: Promise<void>[] = [];
    await inSlices(rows, TOGETHER, (some) => {
      const durable = store.approvals.put(some);
      // Awaited below; this only keeps Node from reporting an unhandled rejection before that.
      durable.catch(() => {});
      puts.push(durable);
    });
    await Promise.all(puts);
  }

  async function closeBaseline(server: string): Promise<void> {
    const known = store.knownServers.get(server);
    if (known?.baseline === "open") await store.knownServers.put([{ ...known, baseline: "closed" }]);
  }

  return {
    of: (server) => new Map(store.approvals.of(server).map((record) => [record.tool, record])),

    hasOpenBaseline: (server) => store.knownServers.get(server)?.baseline === "open",

    async write(server, rows) {
      const byTool = new Map([...doubtful(server), ...rows].map((row) => [row.tool, row]));
      try {
        // Queued first, so that no approval is on the disk before it: whatever is listed after a crash waits.
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
