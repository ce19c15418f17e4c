import * as v from "valibot";

/** `unknown` is a value that callers can declare; it does not mean that the member is absent. */
export const SENSITIVITIES = ["public", "internal", "private", "unknown"] as const;

/** The intent that a caller declares for a call (spec 001 §2.2). */
export const CallIntent = v.object({
  operation_type: v.picklist(["read", "write", "destructive"]),
  data_sensitivity: v.exactOptional(v.picklist(SENSITIVITIES)),
  reason: v.exactOptional(v.string()),
});
export type CallIntent = Readonly<v.InferOutput<typeof CallIntent>>;
