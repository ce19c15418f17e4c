import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the detection of sensitive data. */
export const faults = defineFaults({
  arguments_unscanned: {
    status: 403,
    text: (p: { id: string; budget: string }) =>
      `"${p.id}" was not called: searching its arguments for sensitive data took longer than ${p.budget}; send less, or ask an administrator to raise sensitive_data_detection.time_budget`,
  },
  output_blocked: {
    status: 403,
    text: (p: { id: string; types: readonly string[] }) =>
      `tool output blocked by sanitisation policy: "${p.id}" returned ${p.types.join(", ")}; request less, or ask an administrator to change output_sanitisation.response_action`,
  },
  output_unscanned: {
    status: 403,
    text: (p: { id: string; budget: string }) =>
      `the result of "${p.id}" was withheld: searching it for sensitive data took longer than ${p.budget}; request less, or ask an administrator to raise sensitive_data_detection.time_budget`,
  },
  sensitive_arguments: {
    status: 403,
    text: (p: { id: string; types: readonly string[] }) =>
      `"${p.id}" was not called: its arguments contain ${p.types.join(", ")}; remove it, or ask an administrator to change sensitive_data_detection.block_requests`,
  },
});
