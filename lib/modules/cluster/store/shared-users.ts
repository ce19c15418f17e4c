import type { UserRow } from "../../../core/schema/user.ts";
import type { RowEdit, UserStore } from "../../../core/store/store.ts";
import { recordTable } from "../record-table.ts";
import { rowKey } from "../shared-table.ts";
import { createViewRows } from "../view-rows.ts";
import type { OpenTable } from "./open-table.ts";

/** The identity is the key, so that it has one user even if several replicas sign it in at once. */
export const userTable = recordTable<UserRow>({
  topic: "users",
  table: "account",
  key: ["issuer", "subject"],
  members: {
    issuer: "text",
    subject: "text",
    id: "text",
    email: "text",
    displayName: "text",
    groups: "json",
    admin: "boolean",
    off: "json",
    createdAt: "bigint",
    signedInAt: "bigint",
    bearersAfter: "bigint",
    disabledAt: "bigint",
  },
});

export function createSharedUsers({ view, writer }: OpenTable<UserRow>): UserStore {
  const listeners = new Set<(id: string) => void>();
  const keyById = new Map<string, string>();
  const rows = createViewRows(view, (changes) => {
    for (const { before } of changes) if (before) keyById.delete(before.id);
    for (const { after } of changes) if (after) keyById.set(after.id, rowKey([after.issuer, after.subject]));
    for (const { before, after } of changes) for (const listener of listeners) listener((after ?? before)!.id);
  });
  const get = (id: string) => rows.get(keyById.get(id) ?? "");
  const change = async (issuer: string, subject: string, edit: RowEdit<UserRow>) => {
    const [change] = await writer.change([[issuer, subject]], (row) => edit(row, row?.id ?? ""));
    const row = rows.get(rowKey([issuer, subject]));
    return change ?? { before: row, after: row };
  };

  return {
    all: () => rows.all().sort((a, b) => (a.email < b.email ? -1 : 1)),
    get,
    bySubject: (issuer, subject) => rows.get(rowKey([issuer, subject])),
    async change(id, edit) {
      const current = get(id);
      if (current)
        // Another replica may have replaced the user of this identity by one with another id.
        return await change(current.issuer, current.subject, (row) => edit(row?.id === id ? row : undefined, id));
      const added = edit(undefined, id);
      if (typeof added !== "object") return { before: undefined, after: undefined };
      return await change(added.issuer, added.subject, () => added);
    },
    changeBySubject: change,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
