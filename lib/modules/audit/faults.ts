import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of the audit log. */
export const faults = defineFaults({
  audit_stdout_refused: {
    status: 500,
    text: () =>
      "audit_log.stdout cannot be used with --stdio, because MCP uses standard output; set audit_log.path instead",
  },
});
