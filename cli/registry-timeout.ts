/** Longest wait for a registry to be asked: its own 45 seconds, and what goes around them. (ms) */
export const ASKING_MS = 60_000;
