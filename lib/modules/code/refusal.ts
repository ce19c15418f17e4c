import { Fault, type FaultCode } from "../../core/base/fault.ts";

/** The execution refusals of `POST /api/v1/code/exec`, by the fault behind them (spec 001 §7). */
const REFUSALS: Partial<Record<FaultCode, string>> = {
  body_too_large: "INVALID_REQUEST",
  code_disabled: "FEATURE_DISABLED",
  code_failed: "EXECUTION_FAILED",
  code_language: "INVALID_LANGUAGE",
  code_options: "INVALID_OPTIONS",
  code_request: "INVALID_REQUEST",
  invalid_request: "INVALID_REQUEST",
  script_name: "INVALID_SCRIPT_NAME",
  script_not_found: "SCRIPT_NOT_FOUND",
  script_unusable: "SCRIPT_UNUSABLE",
  unsupported_media_type: "INVALID_REQUEST",
};

/** The refusal for the execution envelope, or undefined for any other failure. */
export function refusal(error: unknown): { status: number; error: { code: string; message: string } } | undefined {
  if (!(error instanceof Fault)) return undefined;
  const fault = error as Fault;
  const code = REFUSALS[fault.code];
  return code === undefined ? undefined : { status: fault.status, error: { code, message: fault.message } };
}
