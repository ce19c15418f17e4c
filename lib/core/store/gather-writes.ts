import type { WriteQueue } from "./write-queue.ts";

/** Collects writes by key: several writes under one key before the queue runs become one. */
interface GatheredWrites<V> {
  /** @param merge from what waits under the key, if anything, to what shall be written */
  put(key: string, merge: (waiting: V | undefined) => V): Promise<void>;
  /** Writes put from now on run after whatever the queue receives next. */
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
