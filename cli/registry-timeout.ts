/** Timeout of commands that contact a registry: the proxy's own 45 seconds and a margin (ms). */
export const ASKING_MS = 60_000;
