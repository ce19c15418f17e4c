import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { word } from "#lib/core/api/query.ts";
import { ApprovalWord, ToolEntry } from "#lib/core/schema/tool-entry.ts";
import { exportText, exportTools } from "#lib/core/verbs/tools/export.ts";

const schema = v.record(v.string(), v.unknown());

/** Every description and schema of one server, as JSON or as text for reading (spec 000 §4.2). */
export default endpoint("GET /api/v1/servers/{name}/tools/export", {
  summary: "Export the tools of one server",
  access: "read",
  query: v.object({ format: word(["json", "text"], "json (default) or text") }),
  data: v.object({
    server_name: v.string(),
    tools: v.array(
      v.object({
        server_name: v.string(),
        tool_name: v.string(),
        status: ApprovalWord,
        hash: v.optional(v.string()),
        title: v.optional(v.string()),
        description: v.string(),
        withheld: ToolEntry.entries.withheld,
        schema,
        output_schema: v.optional(schema),
        annotations: v.optional(schema),
        enabled: v.boolean(),
        disabled: v.boolean(),
      }),
    ),
    count: v.number(),
  }),
  answers: { types: ["text/plain"] },
  faults: ["server_not_found"],
  async run({ app, params, query, caller, c, signal }) {
    const tools = await exportTools(app, params.name, caller, signal);
    if (query.format === "text") return c.text(exportText(tools));
    return { server_name: params.name, tools, count: tools.length };
  },
});
