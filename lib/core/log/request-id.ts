import { AsyncLocalStorage } from "node:async_hooks";

let requests: AsyncLocalStorage<string> | undefined;
let running = 0;

/**
 * Runs `fn` so that every log line inside, also after an await, carries the request's id. Before Node 24 that makes
 * every promise of the process cost more, those of tool calls too (a fifth of a call): so it is switched off again as
 * soon as no such request is under way, and the call path names its id in the line instead. What a request leaves
 * behind to go on after its answer has no id.
 */
export async function withRequestId<T>(id: string, fn: () => T | Promise<T>): Promise<T> {
  requests ??= new AsyncLocalStorage();
  running++;
  try {
    return await requests.run(id, fn);
  } finally {
    running--;
    if (running === 0) requests.disable();
  }
}

/** The id of the request this code runs for. */
export function currentRequestId(): string | undefined {
  return requests?.getStore();
}
