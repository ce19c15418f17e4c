import * as v from "valibot";

const about = v.description;

/** A job: work that continues after the request that started it was answered. */
export const Job = v.object({
  id: v.string(),
  operation: v.pipe(v.string(), about("method and path of the request")),
  status: v.picklist(["running", "succeeded", "failed", "cancelled"]),
  requested_by: v.pipe(v.string(), about("caller of the request")),
  created_at: v.pipe(v.string(), about("RFC 3339")),
  finished_at: v.optional(v.pipe(v.string(), about("end of the job; absent while it runs"))),
  result: v.optional(v.pipe(v.unknown(), about("`data` of the response that a request without `Prefer` returns"))),
  error: v.optional(v.pipe(v.object({ code: v.string(), message: v.string() }), about("error text"))),
});
export type Job = v.InferOutput<typeof Job>;
