import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ApprovalWord, ToolEntry, ToolScan } from "#lib/core/schema/tool-entry.ts";
import { diff } from "#lib/core/verbs/tools/diff.ts";

const text = v.string();

/** What was approved of a tool against what it is now, in every field an approval covers (spec 000 §2.5). */
export default endpoint("GET /api/v1/servers/{name}/tools/{tool}/diff", {
  summary: "Compare a tool with what was approved of it",
  access: "read",
  data: v.object({
    server_name: text,
    tool_name: text,
    status: ApprovalWord,
    withheld: ToolEntry.entries.withheld,
    approved_hash: v.pipe(text, v.description("empty without an approval, and for agents")),
    current_hash: v.pipe(text, v.description("empty for agents")),
    previous_title: text,
    current_title: text,
    previous_description: text,
    current_description: text,
    previous_schema: v.pipe(text, v.description("JSON with sorted keys")),
    current_schema: text,
    previous_output_schema: text,
    current_output_schema: text,
    previous_annotations: text,
    current_annotations: text,
    previous_icons: text,
    current_icons: text,
    previous_meta: v.pipe(
      text,
      v.description("_meta: what the server says to clients, such as a user interface to show"),
    ),
    current_meta: text,
    scan: v.optional(v.pipe(ToolScan, v.description("what the offline scan says of it as it is now; for operators"))),
  }),
  faults: ["server_not_found", "no_such_record"],
  run: ({ app, params, caller }) => diff(app, params.name, params.tool, caller),
});
