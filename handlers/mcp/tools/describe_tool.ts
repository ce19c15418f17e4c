import * as v from "valibot";
import { Fault } from "#lib/core/base/fault.ts";
import { tool } from "#lib/core/mcp/tool.ts";
import { describeTools } from "#lib/core/verbs/tools/describe.ts";
import { preflightTools } from "#lib/core/verbs/tools/preflight.ts";
import { resolveDirectName } from "#lib/core/verbs/tools/resolve-direct-name.ts";

const MAX_IDS = 5;
const MAX_CHECKED = 50;

const Ids = v.array(v.string());

export default tool("describe_tool", {
  title: "Describe or check tools",
  description:
    "Returns the full definitions of 1 to 5 tools by id (server:tool). With check: true, reports for up to 50 tools whether they can be called now, and if not, why.",
  modes: ["retrieve_tools", "direct"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  searchHint: "input schema of a tool; check whether tools can be called",
  alwaysLoad: true,
  offered: ({ app, mode }) => mode !== "direct" || app.config.current().direct_tool_response_mode === "deferred",
  input: v.object({
    ids: v.optional(v.pipe(Ids, v.description("tool ids, server:tool"))),
    tool_ids: v.optional(v.pipe(Ids, v.description("alias of ids"))),
    check: v.optional(v.pipe(v.boolean(), v.description("check availability instead of returning definitions"))),
    filters: v.optional(
      v.pipe(
        v.strictObject({
          read_only_only: v.optional(v.boolean(), false),
          exclude_destructive: v.optional(v.boolean(), false),
          exclude_open_world: v.optional(v.boolean(), false),
        }),
        v.description("annotation filters; only with check"),
      ),
    ),
    expect_hashes: v.optional(v.pipe(v.unknown(), v.description("reserved"))),
  }),
  async run({ app, caller, origin, mode, input, signal }) {
    const { check = false, filters, expect_hashes } = input;
    if (input.ids && input.tool_ids) throw invalid("tool_ids is an alias of ids; send only one of them");
    const requestedIds = input.ids ?? input.tool_ids ?? [];
    // In direct mode, a model uses the direct name of a tool.
    const ids = mode === "direct" ? requestedIds.map((id) => resolveDirectName(app, caller, id) ?? id) : requestedIds;
    const maxIds = check ? MAX_CHECKED : MAX_IDS;
    if (ids.length === 0 || ids.length > maxIds)
      throw invalid(`ids: send 1 to ${maxIds} tool ids${check ? " with check" : ""}`);
    if (expect_hashes !== undefined) throw invalid("expect_hashes is reserved; omit it");
    if (filters && !check) throw invalid("filters requires check: true");
    if (!check) return describeTools(app, caller, ids);
    const { verdict, checked_at, tools } = await preflightTools(
      app,
      { caller, origin },
      { tools: ids.map((id) => ({ id })), policy: filters, tier: "agent", signal },
    );
    return { verdict, checked_at, request_id: origin.requestId, results: tools };
  },
});

function invalid(reason: string): Fault {
  return new Fault("invalid_args", { reason: `describe_tool: ${reason}` });
}
