import { after } from "node:test";

/**
 * What is closed after the last test of this process. The runner waits for the end of what failed tests left open, and files
 * in one process share what is costly to start.
 */
export const atEnd = new Set<() => Promise<unknown>>();

// A test file that is started again as its own helper has no tests.
const inRole = process.env.UPSTREAM_TEST_ROLE !== undefined || process.argv[2] === "watchdog";
if (!inRole) after(() => Promise.all([...atEnd].map((end) => end())));
