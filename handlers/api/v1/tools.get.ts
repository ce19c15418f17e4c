import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { pickFields } from "#lib/core/api/fields.ts";
import { text } from "#lib/core/api/query.ts";
import { toolFieldsParameter, toolFilter, toolFilters, toolPages } from "#lib/core/api/tool-filters.ts";
import { ToolsOverview } from "#lib/core/schema/tools-overview.ts";
import { toolsOverview } from "#lib/core/verbs/tools/overview.ts";

/** All tools of all configured servers, whether or not they can be used (spec 000 §2.5). */
export default endpoint("GET /api/v1/tools", {
  summary: "List every tool",
  access: "read",
  query: v.object({
    server: text(128, "only tools of this server"),
    ...toolFilters,
    ...toolPages.query,
    fields: toolFieldsParameter,
  }),
  data: ToolsOverview,
  answers: { sparse: "tools" },
  async run({ app, caller, query, signal }) {
    const filter = { server: query.server, ...toolFilter(query) };
    const { tools, ...rest } = await toolsOverview(app, caller, { filter, choose: toolPages.choose(query), signal });
    return { tools: tools.map((tool) => pickFields(tool, query.fields)), ...rest };
  },
});
