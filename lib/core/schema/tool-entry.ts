import * as v from "valibot";

const about = v.description;

export const ApprovalWordShape = v.pipe(
  v.picklist(["approved", "pending_approval", "changed"]),
  about("approval status of the tool's current definition"),
);

/** The result of the offline scan of one tool definition for tool poisoning. */
export const ToolScan = v.object({
  verdict: v.pipe(
    v.picklist(["clean", "suspicious", "dangerous"]),
    about(
      "`clean`: no findings, or only weak ones (risk below 45); `suspicious`: a person should review the tool; `dangerous`: very likely made to mislead a model",
    ),
  ),
  risk_score: v.pipe(v.number(), about("from 0 to 100")),
  findings: v.array(
    v.object({
      rule: v.pipe(v.string(), about("rule, such as instruction.secrecy or unicode.tags")),
      severity: v.picklist(["critical", "high", "medium", "low", "info"]),
      location: v.pipe(v.string(), about("path of the member in the tool's definition")),
      excerpt: v.pipe(v.string(), about("excerpt with invisible characters escaped")),
      explanation: v.string(),
    }),
  ),
  complete: v.pipe(v.boolean(), about("`false`: the text exceeds the amount that is scanned")),
});
export type ToolScan = v.InferOutput<typeof ToolScan>;

/** One tool in a list (spec 000 §2.5). It is enabled if neither `disabled` nor `config_denied` is set. */
export const ToolEntry = v.object({
  name: v.pipe(v.string(), about("name of the tool, without its server")),
  server_name: v.string(),
  title: v.optional(v.string()),
  description: v.string(),
  withheld: v.optional(
    v.pipe(v.literal(true), about("its texts are shown to administrators only until a person has approved them")),
  ),
  approval_status: ApprovalWordShape,
  disabled: v.pipe(v.boolean(), about("blocked by a person")),
  config_denied: v.pipe(v.boolean(), about("excluded by `enabled_tools` or `disabled_tools`")),
  usage: v.pipe(
    v.number(),
    about("number of calls in the last 30 days; for a user of the multi-user edition, of the user's own"),
  ),
  last_used: v.optional(v.pipe(v.string(), about("time of the last of these calls"))),
  hash: v.optional(v.pipe(v.string(), about("pin of the approved definition; for operators only"))),
  current_hash: v.optional(
    v.pipe(v.string(), about("pin of the current definition, to send with an approval; for operators only")),
  ),
  annotations: v.optional(v.record(v.string(), v.unknown())),
  scan: v.optional(v.pipe(ToolScan, about("findings of the offline scan; for operators only"))),
});
export type ToolEntry = v.InferOutput<typeof ToolEntry>;
