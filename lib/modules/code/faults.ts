import { defineFaults } from "../../core/base/fault.ts";

export { Fault } from "../../core/base/fault.ts";

/** Faults of code execution. */
export const faults = defineFaults({
  code_disabled: {
    status: 403,
    text: () => "code execution is disabled; an administrator can set enable_code_execution to true",
  },
  code_failed: { status: 500, text: (p: { reason: string }) => `the code could not be executed: ${p.reason}` },
  code_language: { status: 400, text: (p: { reason: string }) => p.reason },
  code_options: { status: 400, text: (p: { reason: string }) => p.reason },
  code_request: { status: 400, text: (p: { reason: string }) => p.reason },
  script_name: { status: 400, text: (p: { reason: string }) => p.reason },
  script_not_found: { status: 404, text: (p: { reason: string }) => p.reason },
  script_unusable: { status: 400, text: (p: { reason: string }) => p.reason },
  scripts_admin_only: { status: 403, text: () => "only administrators may list stored scripts" },
});
