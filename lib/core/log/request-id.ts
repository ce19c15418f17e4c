import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs `fn` so that every log line it writes, also after an await, contains the request's id. Lines written after `fn`
 * has settled have no id.
 */
export function withRequestId<T>(id: string, fn: () => T | Promise<T>): Promise<T> {
  return requests.run(id, fn);
}

/** Returns the id of the request that the running code belongs to. */
export function currentRequestId(): string | undefined {
  return requests.current();
}

const requests = requestContext();

/**
 * Before Node 24, an AsyncLocalStorage slows down every promise of the process (tool calls by a fifth). So the process
 * has only one, which is disabled while no such request is in progress. Tool calls do not use it: they pass their id to
 * the log explicitly.
 */
function requestContext() {
  let storage: AsyncLocalStorage<string> | undefined;
  let running = 0;
  return {
    async run<T>(id: string, fn: () => T | Promise<T>): Promise<T> {
      storage ??= new AsyncLocalStorage();
      running++;
      try {
        return await storage.run(id, fn);
      } finally {
        running--;
        if (running === 0) storage.disable();
      }
    },
    current: () => storage?.getStore(),
  };
}
