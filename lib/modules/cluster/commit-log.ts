import type { Store } from "../../core/store/store.ts";

type Listener = Parameters<Store["writes"]["onCommit"]>[0];

/** Reports the transactions that write to the store, for measurements. */
export interface CommitLog {
  readonly report: Listener;
  onCommit(listener: Listener): () => void;
}

export function createCommitLog(): CommitLog {
  const listeners = new Set<Listener>();
  return {
    report(commit) {
      for (const listener of listeners) listener(commit);
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
