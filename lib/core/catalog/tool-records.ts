import { reasonOf } from "../base/fault.ts";
import { plural } from "../base/plural.ts";
import type { Logger } from "../log/logger.ts";
import type { ApprovalRow } from "../schema/tool.ts";
import type { RowEdit, Store } from "../store/store.ts";
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
   * Writes the records that a complete listing changes. Returns the names of tools whose records could not be written.
   * An outage is logged once per server.
   *
   * @param decide decides about one of the tools from its newest record, which a person may have changed meanwhile
   */
  write(
    server: string,
    tools: readonly string[],
    decide: (tool: string, record: ApprovalRow | undefined) => ApprovalRow | undefined,
  ): Promise<Set<string>>;
  forget(server: string): void;
}

/** Maximum number of rows in one write. Larger listings are split, so that other work can run in between. */
const TOGETHER = 100;

export function createToolRecords(store: Pick<Store, "approvals" | "knownServers">, log: Logger): ToolRecords {
  /** Tools whose records could not be written, by server. */
  const failed = new Map<string, ReadonlySet<string>>();

  /** Writes the records in groups, each in its own transaction. */
  async function changeAll(server: string, tools: readonly string[], edit: RowEdit<ApprovalRow>): Promise<void> {
    if (tools.length <= TOGETHER) return void (await store.approvals.changeAll(server, tools, edit));
    const changes: Promise<unknown>[] = [];
    await inSlices(tools, TOGETHER, (some) => {
      const durable = store.approvals.changeAll(server, some, edit);
      // Awaited below; until then this avoids a report of an unhandled rejection by Node.
      durable.catch(() => {});
      changes.push(durable);
    });
    await Promise.all(changes);
  }

  async function closeBaseline(server: string): Promise<void> {
    if (store.knownServers.get(server)?.baseline !== "open") return;
    await store.knownServers.changeAll([server], (record) =>
      record?.baseline === "open" ? { ...record, baseline: "closed" } : undefined,
    );
  }

  return {
    of: (server) => new Map(store.approvals.of(server).map((record) => [record.tool, record])),

    hasOpenBaseline: (server) => store.knownServers.get(server)?.baseline === "open",

    async write(server, tools, decide) {
      const unwritten = failed.get(server);
      const names = new Set([...(unwritten ?? []), ...tools]);
      const decided = new Set(tools);
      // The copy in memory may contain a record whose last write failed although the disk does not, so it is written
      // again even if nothing changes.
      const edit: RowEdit<ApprovalRow> = (record, tool) =>
        (decided.has(tool) ? decide(tool, record) : undefined) ?? (unwritten?.has(tool) ? record : undefined);
      try {
        // Closing the baseline is queued before the approvals: after a crash in between, the listed tools wait for
        // approval.
        const closed = closeBaseline(server);
        await Promise.all([closed, names.size > 0 && changeAll(server, [...names], edit)]);
        if (failed.delete(server)) log.info(`approval records of server "${server}" have now been written`);
        return new Set();
      } catch (error) {
        const what = `approval records of ${plural(names.size, "tool")} of server "${server}" could not be written`;
        const reason = reasonOf(error);
        if (failed.has(server)) log.debug(what, { reason });
        else
          log.error(`${what}; these tools cannot be called until the proxy, which keeps trying, has written them`, {
            reason,
          });
        failed.set(server, names);
        return names;
      }
    },

    forget: (server) => void failed.delete(server),
  };
}
