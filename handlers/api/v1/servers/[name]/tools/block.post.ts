import * as v from "valibot";
import { plural } from "#lib/base/plural.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { allOfThem, selected, toolNames } from "#lib/http/selection.ts";
import { block } from "#lib/tools/block.ts";

/** Blocks tools: approved and disabled in one write each, hidden from MCP clients (spec 000 §3, §4.2). */
export default endpoint("POST /api/v1/servers/{name}/tools/block", {
  summary: "Block tools of one server",
  access: "admin",
  validates: true,
  body: v.object({ tools: toolNames, block_all: allOfThem }),
  data: v.object({
    blocked: v.pipe(v.number(), v.description("how many are blocked by this")),
    tools: v.array(v.string()),
    message: v.string(),
  }),
  faults: ["server_not_found", "tools_not_found", "management_disabled"],
  async run({ app, params, body, by }) {
    const names = selected(body.tools, body.block_all, "block_all");
    const tools = await block(app, params.name, names, by);
    return { blocked: tools.length, tools, message: `blocked ${plural(tools.length, "tool")} of ${params.name}` };
  },
});
