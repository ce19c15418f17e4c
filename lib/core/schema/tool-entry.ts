import * as v from "valibot";

const about = v.description;

export const ApprovalWord = v.pipe(
  v.picklist(["approved", "pending_approval", "changed"]),
  about("whether a person has accepted the tool as it is now"),
);

/** What the offline scan for poisoned tools says of one definition. */
export const ToolScan = v.object({
  verdict: v.pipe(
    v.picklist(["clean", "suspicious", "dangerous"]),
    about(
      "clean: nothing found, or signs too weak for a person to look at (risk below 45); suspicious: a person should look; dangerous: very likely made to mislead a model",
    ),
  ),
  risk_score: v.pipe(v.number(), about("0 to 100")),
  findings: v.array(
    v.object({
      rule: v.pipe(v.string(), about("what was found, such as instruction.secrecy or unicode.tags")),
      severity: v.picklist(["critical", "high", "medium", "low", "info"]),
      location: v.pipe(v.string(), about("member of the definition")),
      excerpt: v.pipe(v.string(), about("of the text, with what is invisible written out")),
      explanation: v.string(),
    }),
  ),
  complete: v.pipe(v.boolean(), about("false: there was more text than is read")),
});
export type ToolScan = v.InferOutput<typeof ToolScan>;

/** One tool in an overview (spec 000 §2.5). Enabled means: neither `disabled` nor `config_denied`. */
export const ToolEntry = v.object({
  name: v.pipe(v.string(), about("bare tool name")),
  server_name: v.string(),
  title: v.optional(v.string()),
  description: v.string(),
  withheld: v.optional(
    v.pipe(v.literal(true), about("its texts are shown to administrators alone until a person has approved them")),
  ),
  approval_status: ApprovalWord,
  disabled: v.pipe(v.boolean(), about("blocked or switched off by a person")),
  config_denied: v.pipe(v.boolean(), about("left out by enabled_tools or disabled_tools")),
  usage: v.pipe(v.number(), about("calls within the last 30 days")),
  last_used: v.optional(v.pipe(v.string(), about("time of the last call"))),
  hash: v.optional(v.pipe(v.string(), about("pin of an approved tool; for operators only"))),
  current_hash: v.optional(
    v.pipe(v.string(), about("pin of the definition listed now, to be sent with an approval; for operators only")),
  ),
  annotations: v.optional(v.record(v.string(), v.unknown())),
  scan: v.optional(v.pipe(ToolScan, about("what the offline scan found; for operators only"))),
});
export type ToolEntry = v.InferOutput<typeof ToolEntry>;
