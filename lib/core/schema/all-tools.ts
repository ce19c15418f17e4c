import * as v from "valibot";

const about = v.description;

/** The response to enabling or disabling every tool of a server. */
export const AllToolsAnswer = v.object({
  server_name: v.string(),
  enabled: v.boolean(),
  changed: v.pipe(v.number(), about("number of tools that were enabled or disabled")),
  tools: v.pipe(v.array(v.string()), about("names of those tools")),
  skipped: v.pipe(
    v.array(v.object({ tool: v.string(), reason: v.picklist(["tool_denied", "findings_not_accepted"]) })),
    about(
      "tools that must be enabled by name, because the configuration excludes them or the scan has findings of high or critical severity",
    ),
  ),
});
export type AllToolsAnswer = v.InferOutput<typeof AllToolsAnswer>;
