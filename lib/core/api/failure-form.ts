import type { GenericSchema } from "valibot";

/** What a form needs to know of a fault. */
interface ReportedFault {
  readonly code: string;
  /** The HTTP status of the fault in the general form. */
  readonly status: number;
  readonly message: string;
}

/**
 * The form in which an endpoint reports all its failures, if another specification prescribes it, such as OAuth. What
 * the listener refuses before the endpoint is known has the general form (`faultAnswer`).
 */
export interface FailureForm {
  /** The schema of the body. */
  readonly schema: GenericSchema;
  /** Makes status and body for a fault. The headers, such as `Retry-After`, are those of the general form. */
  report(fault: ReportedFault): { readonly status: number; readonly body: FailureBody };
  /** For the reference: what the endpoint reports besides its faults, by status: error codes with their meaning. */
  readonly others?: Readonly<Record<number, Readonly<Record<string, string>>>>;
}

interface FailureBody {
  /** The error code in this form. */
  readonly error: string;
}
