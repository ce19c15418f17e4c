import type { RowChange, RowEdit } from "./store.ts";

/** A change, and the key of its row. */
export interface PlannedChange<Row, Key> extends RowChange<Row> {
  readonly key: Key;
}

/** Calls `edit` for the current row of each key. @returns the changes that must be written */
export function planChanges<Row, Key>(
  keys: readonly Key[],
  get: (key: Key) => Row | undefined,
  edit: RowEdit<Row, Key>,
): PlannedChange<Row, Key>[] {
  return keys.flatMap((key) => {
    const before = get(key);
    const result = edit(before, key);
    if (result === undefined || (result === "remove" && before === undefined)) return [];
    return [{ key, before, after: result === "remove" ? undefined : result }];
  });
}
