/** Who works on a file at present; another waits until it is free. */
const busy = new Map<string, Promise<unknown>>();

/** Runs `fn` alone among those that work on the same file. */
export async function inTurn<T>(path: string, fn: () => Promise<T>): Promise<T> {
  const before = busy.get(path) ?? Promise.resolve();
  const own = before.then(fn, fn);
  busy.set(path, own);
  try {
    return await own;
  } finally {
    if (busy.get(path) === own) busy.delete(path);
  }
}
