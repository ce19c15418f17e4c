import type { KnownServer } from "../schema/known-server.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { withoutNulls } from "./json-column.ts";
import { planChanges } from "./plan-changes.ts";
import type { KnownServerStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

/**
 * The known servers are read at every listing, so they are also kept in memory. The table is written asynchronously.
 */
export function createKnownServerStore(connection: DatabaseConnection, queue: WriteQueue): KnownServerStore {
  let kept: Map<string, KnownServer> | undefined;
  queue.onRefused(() => {
    kept = undefined;
  });

  const byName = (): Map<string, KnownServer> => {
    if (kept) return kept;
    queue.flush();
    const rows = connection.read(() => connection.prepare(`select ${AS_MEMBERS} from known_servers`).all());
    // The columns have the names of the row's members.
    kept = new Map(rows.map((row) => [String(row.name), withoutNulls(row) as unknown as KnownServer]));
    return kept;
  };

  return {
    all: () => [...byName().values()],
    get: (name) => byName().get(name),
    async changeAll(names, edit) {
      const known = byName();
      const changes = planChanges(names, (name) => known.get(name), edit).map(({ key: name, before, after }) => ({
        name,
        before,
        after: after && Object.freeze({ ...after }),
      }));
      if (changes.length === 0) return [];
      const durable = queue.put("now", () => {
        for (const { name, after } of changes) {
          if (!after) connection.prepare("delete from known_servers where name = ?").run(name);
          else {
            const { identity, baseline, noticedAt, removedAt = null } = after;
            connection.prepare(PUT).run(name, identity, baseline, noticedAt, removedAt);
          }
        }
      });
      for (const { name, after } of changes)
        if (after) known.set(name, after);
        else known.delete(name);
      await durable;
      return changes.map(({ before, after }) => ({ before, after }));
    },
    durable: () => queue.put("now", () => {}),
  };
}

const AS_MEMBERS = `name, identity, baseline, noticed_at as "noticedAt", removed_at as "removedAt"`;
const PUT =
  "insert or replace into known_servers (name, identity, baseline, noticed_at, removed_at) values (?, ?, ?, ?, ?)";
