import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { fieldsParameter, pickFields } from "#lib/core/api/fields.ts";
import { serverToolPages, toolFilter, toolFilters } from "#lib/core/api/tool-filters.ts";
import { pageMembers } from "#lib/core/schema/list-page.ts";
import { ToolEntry, ToolScan } from "#lib/core/schema/tool-entry.ts";
import { serverInstructions } from "#lib/core/verbs/servers/instructions.ts";
import { listTools } from "#lib/core/verbs/tools/list.ts";

const Listed = v.object({
  ...ToolEntry.entries,
  schema: v.pipe(v.record(v.string(), v.unknown()), v.description("input schema")),
  output_schema: v.optional(v.record(v.string(), v.unknown())),
});

/** The tools of one server, those that wait for review first; hashes only for administrators (spec 000 §4.2). */
export default endpoint("GET /api/v1/servers/{name}/tools", {
  summary: "List the tools of one server",
  access: "read",
  query: v.object({ ...toolFilters, ...serverToolPages.query, fields: fieldsParameter(Listed) }),
  data: v.object({
    server_name: v.string(),
    tools: v.array(Listed),
    count: v.pipe(v.number(), v.description("number of tools in this response")),
    ...pageMembers,
    instructions: v.optional(
      v.pipe(
        v.object({ text: v.string(), scan: ToolScan }),
        v.description("text that the connected server gives to models, and its scan; for operators only"),
      ),
    ),
  }),
  faults: ["server_not_found"],
  answers: { sparse: "tools" },
  async run({ app, params: { name }, query, caller, signal }) {
    const options = { filter: toolFilter(query), choose: serverToolPages.choose({ ...query, server: name }), signal };
    const { tools, ...page } = await listTools(app, name, caller, options);
    const instructions = serverInstructions(app, name, caller);
    return {
      server_name: name,
      tools: tools.map((tool) => pickFields(tool, query.fields)),
      count: tools.length,
      ...page,
      ...(instructions && { instructions }),
    };
  },
});
