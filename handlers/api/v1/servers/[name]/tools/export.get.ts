import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { word } from "#lib/core/api/query.ts";
import { ExportedTool } from "#lib/core/schema/exported-tool.ts";
import { exportedToolsText, exportTools } from "#lib/core/verbs/tools/export.ts";

/** All descriptions and schemas of one server, as JSON or as readable text (spec 000 §4.2). */
export default endpoint("GET /api/v1/servers/{name}/tools/export", {
  summary: "Export the tools of one server",
  access: "read",
  query: v.object({ format: word(["json", "text"], "json (default) or text") }),
  data: v.object({
    server_name: v.string(),
    tools: v.array(ExportedTool),
    count: v.number(),
  }),
  answers: { types: ["text/plain"] },
  faults: ["server_not_found"],
  async run({ app, params, query, caller, c, signal }) {
    const tools = await exportTools(app, params.name, caller, signal);
    if (query.format === "text") return c.text(exportedToolsText(tools));
    return { server_name: params.name, tools, count: tools.length };
  },
});
