/** Size of the first slice of long work. Later sizes depend on how long the previous slice took. */
export const FIRST_SLICE = 200;
const MIN_SLICE = 10;
const MAX_SLICE = 2000;
/** Maximum time that one slice may block the event loop (ms). */
const SLICE_MS = 4;

/** Returns the size of the next slice, so that it takes about the intended time. */
export function nextSliceSize(size: number, tookMs: number): number {
  if (tookMs > SLICE_MS) return Math.max(MIN_SLICE, Math.floor(size / 2));
  return tookMs < SLICE_MS / 2 ? Math.min(MAX_SLICE, size * 2) : size;
}
