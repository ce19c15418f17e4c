/** From here on an answer holds up everything else while it is read: some 7 ms for each MiB. (bytes) */
const LARGE_BYTES = 1024 * 1024;

const waiting: (() => void)[] = [];

/**
 * Reads an answer: a small one at once, large ones of all upstreams one after the other, with a turn of the event loop
 * between them. So three answers of 60 MB hold up the small ones beside them for as long as one does, not three.
 */
export function inTurn(bytes: number, read: () => void): void {
  if (bytes < LARGE_BYTES) {
    read();
    return;
  }
  waiting.push(read);
  if (waiting.length === 1) setImmediate(next);
}

function next(): void {
  try {
    waiting[0]!();
  } finally {
    waiting.shift();
    // Not the next immediate but the one after: sockets that became readable meanwhile come first.
    if (waiting.length > 0) setImmediate(() => setImmediate(next));
  }
}
