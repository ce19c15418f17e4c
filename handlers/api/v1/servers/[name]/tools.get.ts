import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { serverInstructions } from "#lib/servers/instructions.ts";
import { ToolEntry, ToolScan } from "#lib/shape/tool-entry.ts";
import { list } from "#lib/tools/list.ts";

/** The tools of one server, those that wait for somebody first; hashes for operators only (spec 000 §4.2). */
export default endpoint("GET /api/v1/servers/{name}/tools", {
  summary: "List the tools of one server",
  access: "read",
  data: v.object({
    server_name: v.string(),
    tools: v.array(
      v.object({
        ...ToolEntry.entries,
        schema: v.pipe(v.record(v.string(), v.unknown()), v.description("input schema")),
        output_schema: v.optional(v.record(v.string(), v.unknown())),
      }),
    ),
    count: v.number(),
    instructions: v.optional(
      v.pipe(
        v.object({ text: v.string(), scan: ToolScan }),
        v.description("text that the connected server gives to models, and its scan; for operators only"),
      ),
    ),
  }),
  faults: ["server_not_found"],
  async run({ app, params, caller, signal }) {
    const tools = await list(app, params.name, caller, signal);
    const instructions = serverInstructions(app, params.name, caller);
    return { server_name: params.name, tools, count: tools.length, ...(instructions && { instructions }) };
  },
});
