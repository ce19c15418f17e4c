import type * as v from "valibot";
import type { ApprovalStatus } from "../../schema/tool.ts";
import type { ApprovalWordShape as Schema } from "../../schema/tool-entry.ts";

/** The values of `approval_status` in responses (spec 000 §3). */
type ApprovalWord = v.InferOutput<typeof Schema>;

/** Converts a stored status into the word of the specification. */
export function approvalWord(status: ApprovalStatus): ApprovalWord {
  return status === "pending" ? "pending_approval" : status;
}
