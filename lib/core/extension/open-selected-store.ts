import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { StoreEngine, StoreStart } from "./store-engine.ts";

/** Opens the store with the first engine that the configuration selects, or else the embedded one. */
export async function openSelectedStore(engines: readonly StoreEngine[], start: StoreStart): Promise<Store> {
  for (const open of engines) {
    const store = open(start);
    if (store) return await store;
  }
  const { dir, clock, log } = start;
  return await openStore({ dir, clock, log });
}
