import { isDeepStrictEqual } from "node:util";
import type { RowChange } from "../../core/store/store.ts";
import type { View } from "./view.ts";

/** The rows of a view. A row stays the same object until its content changes, however often it is read anew. */
interface ViewRows<Row> {
  get(key: string): Row | undefined;
  all(): Row[];
}

/**
 * Follows a view of a small table.
 *
 * @param onChange is called with the rows whose content changed, when a write of this replica is laid over the view and
 * when one of another replica arrives; not when an own write comes back
 */
export function createViewRows<Row extends object>(
  view: View<Row>,
  onChange: (changes: readonly RowChange<Row>[]) => void = () => {},
): ViewRows<Row> {
  const rows = new Map<string, Row>();
  const refresh = (keys: readonly string[] | undefined) => {
    const changes: RowChange<Row>[] = [];
    for (const key of keys ?? new Set([...rows.keys(), ...view.keys()])) {
      const [before, after] = [rows.get(key), view.get(key)];
      if (isDeepStrictEqual(before, after)) continue;
      if (after === undefined) rows.delete(key);
      else rows.set(key, after);
      changes.push({ before, after });
    }
    if (changes.length > 0) onChange(changes);
  };
  refresh(undefined);
  view.onChange(refresh);
  return { get: (key) => rows.get(key), all: () => [...rows.values()] };
}
