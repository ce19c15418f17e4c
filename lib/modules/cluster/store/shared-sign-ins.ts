import type { SignInRow } from "../../../core/schema/sign-in.ts";
import type { SignInStore } from "../../../core/store/store.ts";
import { recordTable } from "../record-table.ts";
import { createViewRows } from "../view-rows.ts";
import type { OpenTable } from "./open-table.ts";

export const signInTable = recordTable<SignInRow>({
  topic: "sign_ins",
  table: "sign_in",
  key: ["hash"],
  members: {
    hash: "text",
    subject: "text",
    credential: "text",
    createdAt: "bigint",
    usedAt: "bigint",
    expiresAt: "bigint",
  },
});

export function createSharedSignIns({ view, writer }: OpenTable<SignInRow>): SignInStore {
  const listeners = new Set<() => void>();
  const rows = createViewRows(view, (changes) => {
    if (changes.some(({ after }) => !after)) for (const listener of listeners) listener();
  });
  return {
    get: (hash) => rows.get(hash),
    all: () => rows.all(),
    async change(hash, edit) {
      const [change] = await writer.change([[hash]], (row) => edit(row, hash));
      return change ?? { before: rows.get(hash), after: rows.get(hash) };
    },
    async remove(hashes) {
      await writer.remove(hashes.map((hash) => [hash]));
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
