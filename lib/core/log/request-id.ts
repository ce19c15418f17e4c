import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs `fn` so that every log line inside, also after an await, carries the request's id. Work that continues after the
 * request's answer has no id.
 */
export function withRequestId<T>(id: string, fn: () => T | Promise<T>): Promise<T> {
  return requests.run(id, fn);
}

/** The id of the request this code runs for. */
export function currentRequestId(): string | undefined {
  return requests.current();
}

const requests = requestContext();

/**
 * Before Node 24, an AsyncLocalStorage makes every promise of the process slower, those of tool calls too (a fifth of a
 * call). So there is one for the process, which is disabled while no such request is under way; the call path passes
 * its id to the log explicitly.
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
