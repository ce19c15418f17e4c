import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the notifications. */
export const faults = defineFaults({
  notification_failed: {
    status: 502,
    text: (p: { channel: string; reason: string }) =>
      `the test message was not sent through the channel "${p.channel}": ${p.reason}`,
  },
});
