import * as v from "valibot";

/**
 * A tool that the offline scan does not rate clean, and the names of the rules that matched, without any text of the
 * tool.
 */
export const FlaggedTool = v.object({
  tool: v.string(),
  verdict: v.string(),
  risk_score: v.number(),
  rules: v.array(v.string()),
});
export type FlaggedTool = v.InferOutput<typeof FlaggedTool>;
