import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { allToolsMember, toolNamesMember, toolSelection } from "#lib/core/api/tool-selection.ts";
import { plural } from "#lib/core/base/plural.ts";
import { blockTools } from "#lib/core/verbs/tools/block.ts";

/** Blocks tools: each is approved and disabled in one write, and hidden from MCP clients (spec 000 §3, §4.2). */
export default endpoint("POST /api/v1/servers/{name}/tools/block", {
  summary: "Block tools of one server",
  access: "admin",
  validates: true,
  body: v.object({ tools: toolNamesMember, block_all: allToolsMember }),
  data: v.object({
    blocked: v.pipe(v.number(), v.description("number of tools that this request blocked")),
    tools: v.array(v.string()),
    message: v.string(),
  }),
  faults: ["server_not_found", "tools_not_found", "management_disabled"],
  async run({ app, params, body, by }) {
    const names = toolSelection(body.tools, body.block_all, "block_all");
    const tools = await blockTools(app, params.name, names, by);
    return { blocked: tools.length, tools, message: `blocked ${plural(tools.length, "tool")} of ${params.name}` };
  },
});
