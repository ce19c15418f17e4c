import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Clock } from "../base/clock.ts";

/** Poll interval, for changes that the system does not report: on network disks, or if a folder was replaced. (ms) */
const POLL_MS = 2000;
/** The file is read when it has not changed for this time, because editors write in several steps. (ms) */
const QUIET_MS = 300;

/**
 * Calls `onQuiet` about 300 ms after the last change of a file; replacing the file is a change, too. It may also be
 * called without a change, so the caller must compare the content.
 *
 * @returns a function that stops watching
 */
export function watchFile(path: string, clock: Clock, onQuiet: () => void): () => void {
  let watcher: FSWatcher | undefined;
  let cancel: (() => void) | undefined;
  let mark: string | undefined;
  let closed = false;

  const schedule = () => {
    cancel?.();
    if (!closed) cancel = clock.after(QUIET_MS, onQuiet);
  };
  const startWatching = () => {
    if (watcher || closed) return;
    try {
      watcher = watch(dirname(path), { persistent: false }, (_kind, name) => {
        if (name === null || name === basename(path)) schedule();
      });
      watcher.on("error", stopWatching);
    } catch {
      // There are too many watches, or the folder is missing. Polling detects changes as well, and it tries to watch
      // again.
      watcher = undefined;
    }
  };
  const stopWatching = () => {
    watcher?.close();
    watcher = undefined;
  };
  const poll = async () => {
    const now = await markOf(path);
    // The first poll counts too: the file may have changed between the read and the start of the watch.
    if (now !== mark) schedule();
    mark = now;
    startWatching();
  };

  startWatching();
  void poll();
  const stop = clock.every(POLL_MS, () => void poll());
  return () => {
    closed = true;
    stop();
    cancel?.();
    stopWatching();
  };
}

/** Returns a text that changes whenever the file is changed, replaced or removed. */
async function markOf(path: string): Promise<string> {
  return await stat(path).then(
    (s) => `${s.dev}:${s.ino}:${s.size}:${s.mtimeMs}:${s.ctimeMs}`,
    () => "absent",
  );
}
