import * as v from "valibot";

/** A tool that the offline scan does not rate clean, with the names of the rules only. */
export const FlaggedTool = v.object({
  tool: v.string(),
  verdict: v.string(),
  risk_score: v.number(),
  rules: v.array(v.string()),
});
export type FlaggedTool = v.InferOutput<typeof FlaggedTool>;
