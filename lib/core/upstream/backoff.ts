/** Longest wait between two attempts; they never stop. (ms; reference 5.2) */
const CAP_MS = 300_000;
/** After a refusal for want of sign-in: nothing changes until a person signs in, so nobody is hammered. (ms) */
const SIGN_IN_MS = [300_000, 900_000, 3_600_000, 14_400_000, 86_400_000];
/** Part of a wait that chance decides, so that servers that fell together do not come back together. */
const JITTER = 0.2;

/**
 * Wait before the next attempt: 1, 2, 4 … 300 s, up to a fifth less.
 *
 * @param failures attempts that failed in a row, from 1
 * @param random 0 to 1
 */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(CAP_MS, 1000 * 2 ** Math.min(failures - 1, 30));
  return Math.round(full * (1 - JITTER * random));
}

/** Wait before an upstream that asked for sign-in is tried again. @param failures from 1 */
export function signInRetryMs(failures: number): number {
  return SIGN_IN_MS[Math.min(failures, SIGN_IN_MS.length) - 1] ?? CAP_MS;
}
