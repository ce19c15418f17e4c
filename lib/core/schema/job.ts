import * as v from "valibot";

const about = v.description;

/** A request that was answered before it was done. */
export const Job = v.object({
  id: v.string(),
  operation: v.pipe(v.string(), about("what was asked for: method and path")),
  status: v.picklist(["running", "succeeded", "failed", "cancelled"]),
  requested_by: v.pipe(v.string(), about("who asked for it")),
  created_at: v.pipe(v.string(), about("RFC 3339")),
  finished_at: v.optional(v.pipe(v.string(), about("absent while it is running"))),
  result: v.optional(v.pipe(v.unknown(), about("`data` of the answer that would have been given without `Prefer`"))),
  error: v.optional(v.pipe(v.object({ code: v.string(), message: v.string() }), about("why it failed"))),
});
export type Job = v.InferOutput<typeof Job>;
