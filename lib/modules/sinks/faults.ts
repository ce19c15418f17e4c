import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the sinks. */
export const faults = defineFaults({
  sink_unreachable: {
    status: 502,
    text: (p: { sink: string; reason: string }) =>
      `the test record was not delivered to the sink "${p.sink}": ${p.reason}`,
  },
});
