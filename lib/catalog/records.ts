import { reasonOf } from "../base/fault.ts";
import type { Logger } from "../log/log.ts";
import type { ApprovalRow } from "../shape/tool.ts";
import type { Store } from "../store/store.ts";

/** What the store keeps of the tools of each server. */
export interface Records {
  of(server: string): Map<string, ApprovalRow>;
  /** Whether its tools were listed in quarantine: who releases it later has seen which tools it had. */
  seenInQuarantine(server: string): boolean;
  noteQuarantine(server: string): void;
  /** Answers the names of the tools whose records could not be written. An outage is told once for each server. */
  write(server: string, rows: readonly ApprovalRow[]): Promise<Set<string>>;
  remove(server: string): Promise<void>;
}

export function createRecords(store: Pick<Store, "approvals" | "meta">, log: Logger): Records {
  /** Tools whose records could not be written, by server. */
  const failed = new Map<string, ReadonlySet<string>>();

  /** What failed may read well for now; only a write that succeeds says that it is kept. */
  function doubtful(server: string): ApprovalRow[] {
    const names = failed.get(server);
    return names ? store.approvals.of(server).filter((row) => names.has(row.tool)) : [];
  }

  return {
    of: (server) => new Map(store.approvals.of(server).map((record) => [record.tool, record])),

    seenInQuarantine: (server) => store.meta.get(seenKey(server)) === true,

    noteQuarantine(server) {
      log.catch(`noting that tools of "${server}" were seen in quarantine`, store.meta.set(seenKey(server), true));
    },

    async write(server, rows) {
      const byTool = new Map([...doubtful(server), ...rows].map((row) => [row.tool, row]));
      try {
        if (byTool.size > 0) await store.approvals.put([...byTool.values()]);
        if (failed.delete(server)) log.info(`approval records of server "${server}" could be written after all`);
        return new Set();
      } catch (error) {
        const what = `approval records of ${byTool.size} tool(s) of server "${server}" could not be written`;
        const reason = reasonOf(error);
        if (failed.has(server)) log.debug(what, { reason });
        else log.error(`${what}; they cannot be called until they are, which is tried again`, { reason });
        const names = new Set(byTool.keys());
        failed.set(server, names);
        return names;
      }
    },

    async remove(server) {
      failed.delete(server);
      await Promise.all([store.approvals.removeServer(server), store.meta.set(seenKey(server), false)]);
    },
  };
}

function seenKey(server: string): string {
  return `catalog.seen_in_quarantine:${server}`;
}
