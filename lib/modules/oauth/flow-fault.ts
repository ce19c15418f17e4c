import type { LoginDiagnostics } from "../../core/schema/login.ts";
import { Fault, type faults } from "./faults.ts";

/** The kinds of failed sign-in (spec 000 §7: `error_type`). */
type FlowErrorType = keyof typeof faults;

/** The parts of a sign-in that its faults need. */
export interface FlowName {
  readonly server: string;
  /** Identifies the sign-in in the log and in responses. */
  readonly correlationId: string;
  readonly details: LoginDiagnostics;
}

/**
 * @param reason what went wrong
 * @param suggestion what the user can do about it; neither contains a secret
 */
export function flowFault(
  code: FlowErrorType,
  { server, correlationId, details }: FlowName,
  reason: string,
  suggestion: string,
  options?: ErrorOptions,
): Fault<FlowErrorType> {
  return new Fault(code, { server, correlationId, details, reason, suggestion }, options);
}
