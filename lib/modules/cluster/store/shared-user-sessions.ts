import type { UserSessionRow } from "../../../core/schema/user.ts";
import type { UserSessionStore } from "../../../core/store/store.ts";
import { recordTable } from "../record-table.ts";
import { createViewRows } from "../view-rows.ts";
import type { OpenTable } from "./open-table.ts";

export const userSessionTable = recordTable<UserSessionRow>({
  topic: "user_sessions",
  table: "user_session",
  key: ["id"],
  members: {
    id: "text",
    hash: "text",
    userId: "text",
    createdAt: "bigint",
    expiresAt: "bigint",
    userAgent: "text",
    clientIp: "text",
  },
});

export function createSharedUserSessions({ view, writer }: OpenTable<UserSessionRow>): UserSessionStore {
  const listeners = new Set<(id: string) => void>();
  const byHash = new Map<string, string>();
  const rows = createViewRows(view, (changes) => {
    for (const { before } of changes) if (before) byHash.delete(before.hash);
    for (const { after } of changes) if (after) byHash.set(after.hash, after.id);
    for (const { before, after } of changes)
      if (before && !after) for (const listener of listeners) listener(before.id);
  });
  return {
    all: () => rows.all(),
    get: (id) => rows.get(id),
    byHash: (hash) => rows.get(byHash.get(hash) ?? ""),
    async change(id, edit) {
      const [change] = await writer.change([[id]], (row) => edit(row, id));
      return change ?? { before: rows.get(id), after: rows.get(id) };
    },
    async remove(ids) {
      await writer.remove(ids.map((id) => [id]));
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
