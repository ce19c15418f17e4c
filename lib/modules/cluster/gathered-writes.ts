import type { Sql } from "./connection.ts";
import type { SerialWork } from "./serial-work.ts";

/** Writes that replace or add to each other while they wait, so that each transaction writes a key once. */
export interface GatheredWrites<Item> {
  /** @param merge receives the item that waits under this key, if any */
  put(key: string, merge: (waiting: Item | undefined) => Item): Promise<void>;
  /** Runs work after every earlier write. */
  after<T>(work: (sql: Sql) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Batch<Item> {
  readonly items: Map<string, Item>;
  readonly durable: Promise<void>;
}

/** @param write writes items in one transaction */
export function createGatheredWrites<Item>(
  serial: SerialWork,
  write: (sql: Sql, items: readonly Item[]) => Promise<void>,
): GatheredWrites<Item> {
  let open: Batch<Item> | undefined;

  const begin = (): Batch<Item> => {
    const items = new Map<string, Item>();
    const durable = serial(async (sql) => {
      if (open?.items === items) open = undefined;
      await write(sql, [...items.values()]);
    });
    // If the database cannot be reached the work never begins.
    const leave = () => {
      if (open?.items === items) open = undefined;
    };
    durable.then(leave, leave);
    open = { items, durable };
    return open;
  };
  return {
    put(key, merge) {
      const { items, durable } = open ?? begin();
      items.set(key, merge(items.get(key)));
      return durable;
    },
    after(work, signal) {
      // What is put after this call does not join the writes before it.
      open = undefined;
      return serial(work, signal);
    },
  };
}
