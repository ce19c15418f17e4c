import type { WriteQueue } from "./write-queue.ts";

/** Combines writes with the same key: of several before the queue runs, only the last value is written. */
interface GatheredWrites<V> {
  /**
   * Queues a value. @param merge returns the value to write; its argument is the value that already waits under the
   * key, if any
   */
  put(key: string, merge: (waiting: V | undefined) => V): Promise<void>;
  /** Further writes run after the write that the queue receives next, instead of before it. */
  cut(): void;
}

/** Combines writes of one kind. @param write stores the values; called within a write of the queue */
export function gatherWrites<V>(queue: WriteQueue, write: (values: Iterable<V>) => void): GatheredWrites<V> {
  let open: { values: Map<string, V>; durable: Promise<void> } | undefined;
  const cut = () => {
    open = undefined;
  };
  queue.onRefused(cut);
  return {
    put(key, merge) {
      if (!open) {
        const values = new Map<string, V>();
        const durable = queue.put("soon", () => {
          if (open?.values === values) cut();
          write(values.values());
        });
        open = { values, durable };
      }
      open.values.set(key, merge(open.values.get(key)));
      return open.durable;
    },
    cut,
  };
}
