import type { Store } from "#lib/core/store/store.ts";
import type { OpenedStore } from "./store-contract.ts";

/** Yields the store, then the store after a restart, so that both are tested alike. */
export async function* andAfterRestart({
  store,
  reopen,
}: Pick<OpenedStore, "store" | "reopen">): AsyncGenerator<Store> {
  yield store;
  yield await reopen();
}
