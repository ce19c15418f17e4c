import { endpoint } from "#lib/core/api/endpoint.ts";
import { ToolDiff } from "#lib/core/schema/tool-diff.ts";
import { diffTool } from "#lib/core/verbs/tools/diff.ts";

/** The approved and the current definition of a tool, in every field that an approval covers (spec 000 §2.5). */
export default endpoint("GET /api/v1/servers/{name}/tools/{tool}/diff", {
  summary: "Compare a tool with its approved definition",
  access: "read",
  data: ToolDiff,
  faults: ["server_not_found", "no_such_record"],
  run: ({ app, params, caller }) => diffTool(app, params.name, params.tool, caller),
});
