import * as v from "valibot";

const count = v.number();

/** The findings of one rule as shown to a model, without any scanned text. */
export const FindingSummary = v.object({
  check: v.string(),
  severity: v.picklist(["critical", "high", "medium", "low", "info"]),
  in: v.pipe(v.array(v.string()), v.description("members of the definition with the finding")),
  count,
  meaning: v.string(),
});
export type FindingSummary = v.InferOutput<typeof FindingSummary>;

/** The response to a call of a tool or server that still waits for approval (spec 001 §3). */
export const ReviewNotice = v.object({
  status: v.string(),
  executed: v.literal(false),
  tool: v.string(),
  message: v.string(),
  analysis: v.object({
    tool_known: v.pipe(v.boolean(), v.description("false: the tool is unknown, so that only its server was analysed")),
    verdict: v.picklist(["suspicious", "no findings", "not scanned"]),
    findings: v.array(FindingSummary),
    description_length: v.exactOptional(count),
    parameter_count: v.exactOptional(count),
    annotations: v.exactOptional(v.record(v.string(), v.boolean())),
    server: v.object({ tools: count, tools_with_findings: count, checks: v.record(v.string(), count) }),
  }),
  what_to_do: v.string(),
  note: v.string(),
});
export type ReviewNotice = v.InferOutput<typeof ReviewNotice>;
