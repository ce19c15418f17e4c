/** Size of the first slice of a work that is done in slices; it then follows what the last one took. */
export const FIRST_SLICE = 200;
const MIN_SLICE = 10;
const MAX_SLICE = 2000;
/** How long one slice may keep the event loop (ms). */
const SLICE_MS = 4;

/** As many as take about the time of one slice. */
export function nextSliceSize(size: number, tookMs: number): number {
  if (tookMs > SLICE_MS) return Math.max(MIN_SLICE, Math.floor(size / 2));
  return tookMs < SLICE_MS / 2 ? Math.min(MAX_SLICE, size * 2) : size;
}
