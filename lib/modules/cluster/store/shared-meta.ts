import type { MetaStore } from "../../../core/store/store.ts";
import { recordTable } from "../record-table.ts";
import type { OpenTable } from "./open-table.ts";

interface MetaRow {
  readonly key: string;
  readonly value: unknown;
}

export const metaTable = recordTable<MetaRow>({
  topic: "meta",
  table: "meta",
  key: ["key"],
  members: { key: "text", value: "json" },
});

export function createSharedMeta({ view, writer }: OpenTable<MetaRow>): MetaStore {
  return {
    // A copy, because the receiver may change it.
    get: (key) => structuredClone(view.get(key)?.value),
    async set(key, value) {
      const row = { key, value: structuredClone(value) };
      if (value === undefined) await writer.remove([[key]]);
      else await writer.change([[key]], () => row);
    },
    async change(key, edit) {
      const [change] = await writer.change([[key]], (row) => {
        const value = edit(structuredClone(row?.value));
        return value === undefined ? undefined : { key, value: structuredClone(value) };
      });
      return structuredClone((change ? change.after : view.get(key))?.value);
    },
  };
}
