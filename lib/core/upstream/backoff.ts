/** Longest wait between two attempts. The attempts never end. (ms; reference 5.2) */
const CAP_MS = 300_000;
/** Waits after failures for lack of a sign-in. They are long, because nothing changes until a person signs in. (ms) */
const SIGN_IN_MS = [300_000, 900_000, 3_600_000, 14_400_000, 86_400_000];
/** The random share of a wait, so that servers that failed together are not all retried at the same moment. */
const JITTER = 0.2;

/**
 * Returns the wait before the next attempt: 1, 2, 4 … 300 s, reduced by up to a fifth.
 *
 * @param failures number of consecutive failures, from 1
 * @param random 0 to 1
 */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(CAP_MS, 1000 * 2 ** Math.min(failures - 1, 30));
  return Math.round(full * (1 - JITTER * random));
}

/** Returns the wait before an upstream that requires a sign-in is tried again. @param failures from 1 */
export function signInRetryMs(failures: number): number {
  return SIGN_IN_MS[Math.min(failures, SIGN_IN_MS.length) - 1] ?? CAP_MS;
}
