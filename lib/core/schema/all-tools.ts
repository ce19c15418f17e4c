import * as v from "valibot";

const about = v.description;

/** What switching every tool of a server on or off answers. */
export const AllToolsAnswer = v.object({
  server_name: v.string(),
  enabled: v.boolean(),
  changed: v.pipe(v.number(), about("tools that were switched")),
  tools: v.pipe(v.array(v.string()), about("their names")),
  skipped: v.pipe(
    v.array(v.object({ tool: v.string(), reason: v.picklist(["tool_denied", "findings_not_accepted"]) })),
    about(
      "tools that only a decision by name enables: the configuration denies them, or the scan found something grave",
    ),
  ),
});
export type AllToolsAnswer = v.InferOutput<typeof AllToolsAnswer>;
