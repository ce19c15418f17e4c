import type { UserSessionRow } from "../schema/user.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { withoutNulls } from "./json-column.ts";
import { planChanges } from "./plan-changes.ts";
import type { UserSessionStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

export function createUserSessionStore(connection: DatabaseConnection, queue: WriteQueue): UserSessionStore {
  let kept: Map<string, UserSessionRow> | undefined;
  let byHash = new Map<string, string>();
  const listeners = new Set<(id: string) => void>();
  queue.onRefused(() => {
    kept = undefined;
  });

  const known = (): Map<string, UserSessionRow> => {
    if (kept) return kept;
    queue.flush();
    const rows = connection.read(() => connection.prepare(`select ${AS_MEMBERS} from user_sessions`).all());
    // The columns have the names of the row's members.
    kept = new Map(rows.map((row) => [String(row.id), withoutNulls(row) as unknown as UserSessionRow]));
    byHash = new Map([...kept.values()].map((row) => [row.hash, row.id]));
    return kept;
  };

  const remove: UserSessionStore["remove"] = (ids) => {
    for (const id of ids) {
      const gone = known().get(id);
      if (gone) byHash.delete(gone.hash);
      known().delete(id);
    }
    const durable = queue.put("now", () => {
      for (const id of ids) connection.prepare("delete from user_sessions where id = ?").run(id);
    });
    for (const id of ids) for (const listener of listeners) listener(id);
    return durable;
  };

  return {
    all: () => [...known().values()],
    get: (id) => known().get(id),
    byHash(hash) {
      const sessions = known();
      return sessions.get(byHash.get(hash) ?? "");
    },
    async change(id, edit) {
      const get = () => known().get(id);
      const [planned] = planChanges([id], get, edit);
      if (!planned) return { before: get(), after: get() };
      const { before, after } = planned;
      let durable: Promise<void>;
      if (after) {
        if (before) byHash.delete(before.hash);
        known().set(id, after);
        byHash.set(after.hash, id);
        const { hash, userId, createdAt, expiresAt, userAgent = null, clientIp = null } = after;
        durable = queue.put("now", () => {
          connection.prepare(PUT).run(id, hash, userId, createdAt, expiresAt, userAgent, clientIp);
        });
      } else durable = remove([id]);
      await durable;
      return { before, after };
    },
    remove,
    onEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const AS_MEMBERS = `id, hash, user_id as "userId", created_at as "createdAt", expires_at as "expiresAt",
  user_agent as "userAgent", client_ip as "clientIp"`;
const PUT = `insert or replace into user_sessions (id, hash, user_id, created_at, expires_at, user_agent, client_ip)
  values (?, ?, ?, ?, ?, ?, ?)`;
