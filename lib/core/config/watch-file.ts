import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Clock } from "../base/clock.ts";

/** Poll interval, for changes that the system does not report: network disks, replaced folders. (ms) */
const POLL_MS = 2000;
/** Editors write in several steps; only a quiet file is read. (ms) */
const QUIET_MS = 300;

/**
 * Calls `onQuiet` some 300 ms after the last change of a file, also one made by replacing it. It may be called without
 * a change; the caller compares content.
 *
 * @returns stops watching
 */
export function watchFile(path: string, clock: Clock, onQuiet: () => void): () => void {
  let watcher: FSWatcher | undefined;
  let cancel: (() => void) | undefined;
  let mark: string | undefined;
  let closed = false;

  const stir = () => {
    cancel?.();
    if (!closed) cancel = clock.after(QUIET_MS, onQuiet);
  };
  const listen = () => {
    if (watcher || closed) return;
    try {
      watcher = watch(dirname(path), { persistent: false }, (_kind, name) => {
        if (name === null || name === basename(path)) stir();
      });
      watcher.on("error", deaf);
    } catch {
      // Too many watches, or the folder is absent for now: polling detects changes as well, and tries to watch again.
      watcher = undefined;
    }
  };
  const deaf = () => {
    watcher?.close();
    watcher = undefined;
  };
  const look = async () => {
    const now = await markOf(path);
    // The first poll counts too: the file may have changed between the read and the start of the watch.
    if (now !== mark) stir();
    mark = now;
    listen();
  };

  listen();
  void look();
  const stop = clock.every(POLL_MS, () => void look());
  return () => {
    closed = true;
    stop();
    cancel?.();
    deaf();
  };
}

/** Changes whenever the file does: content, replacement, removal. */
async function markOf(path: string): Promise<string> {
  return await stat(path).then(
    (s) => `${s.dev}:${s.ino}:${s.size}:${s.mtimeMs}:${s.ctimeMs}`,
    () => "absent",
  );
}
