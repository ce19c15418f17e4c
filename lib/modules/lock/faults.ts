import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the lock file. */
export const faults = defineFaults({
  lock_invalid: {
    status: 400,
    text: (p: { reason: string }) => `the lock file is invalid: ${p.reason}; write a new one with: proxy lock`,
  },
});
