import type { WriteQueue } from "./write-queue.ts";

/** Writes by key: what is put under one key before the queue gets to it is written once. */
interface GatheredWrites<V> {
  /** @param merge from what waits under the key, if anything, to what shall be written */
  put(key: string, merge: (waiting: V | undefined) => V): Promise<void>;
  /** What is put from now on is written after whatever the queue is given next. */
  cut(): void;
}

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
