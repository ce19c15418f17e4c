import * as v from "valibot";

const about = v.description;

export const ApprovalWord = v.pipe(
  v.picklist(["approved", "pending_approval", "changed"]),
  about("whether a person has accepted the tool as it is now"),
);

/** One tool in an overview (spec 000 §2.5). Enabled means: neither `disabled` nor `config_denied`. */
export const ToolEntry = v.object({
  name: v.pipe(v.string(), about("bare tool name")),
  server_name: v.string(),
  title: v.optional(v.string()),
  description: v.string(),
  approval_status: ApprovalWord,
  disabled: v.pipe(v.boolean(), about("blocked or switched off by a person")),
  config_denied: v.pipe(v.boolean(), about("left out by enabled_tools or disabled_tools")),
  usage: v.pipe(v.number(), about("calls within the last 30 days")),
  last_used: v.optional(v.pipe(v.string(), about("time of the last call"))),
  hash: v.optional(v.pipe(v.string(), about("pin of an approved tool; for operators only"))),
  annotations: v.optional(v.record(v.string(), v.unknown())),
});
export type ToolEntry = v.InferOutput<typeof ToolEntry>;
