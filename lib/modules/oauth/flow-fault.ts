import type { LoginDiagnostics } from "../../core/schema/login.ts";
import { Fault, type faults } from "./faults.ts";

/** The kinds of failed sign-in (spec 000 §7: `error_type`). */
type FlowErrorType = keyof typeof faults;

/** One sign-in, as far as its failures need to name it. */
export interface FlowName {
  readonly server: string;
  /** By which the log and the answers of one sign-in belong together. */
  readonly correlationId: string;
  readonly details: LoginDiagnostics;
}

/** @param reason what went wrong @param suggestion what a person can do about it; neither holds a secret */
export function flowFault(
  code: FlowErrorType,
  { server, correlationId, details }: FlowName,
  reason: string,
  suggestion: string,
  options?: ErrorOptions,
): Fault<FlowErrorType> {
  return new Fault(code, { server, correlationId, details, reason, suggestion }, options);
}
