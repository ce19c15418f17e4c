import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { allToolsMember, toolNamesMember, toolSelection } from "#lib/core/api/tool-selection.ts";
import { plural } from "#lib/core/base/plural.ts";
import { FlaggedTool } from "#lib/core/schema/flagged-tool.ts";
import { StillWaiting, seenEntries } from "#lib/core/schema/release.ts";
import type { ApprovalRow } from "#lib/core/schema/tool.ts";
import { approveTools } from "#lib/core/verbs/tools/approve.ts";
import { flaggedTools } from "#lib/core/verbs/tools/flagged-tools.ts";

/** Approves new or changed tools; their current hash becomes the pin (spec 000 §4.2). */
export default endpoint("POST /api/v1/servers/{name}/tools/approve", {
  summary: "Approve pending or changed tools of one server",
  access: "admin",
  validates: true,
  body: v.object({ tools: toolNamesMember, approve_all: allToolsMember, ...seenEntries }),
  data: v.object({
    approved: v.pipe(v.number(), v.description("number of tools that this request approved")),
    tools: v.array(v.string()),
    message: v.string(),
    flagged: v.optional(
      v.pipe(v.array(FlaggedTool), v.description("approved tools that the offline scan does not rate clean")),
    ),
    pending: v.optional(v.pipe(v.array(StillWaiting), v.description("requested tools that still wait for approval"))),
  }),
  faults: ["server_not_found", "tools_not_found", "management_disabled"],
  async run({ app, params, body, by }) {
    const names = toolSelection(body.tools, body.approve_all, "approve_all");
    const reviewed = {
      pins: body.pins,
      acceptFindings: body.accept_findings,
      acceptInstructions: body.accept_instructions,
    };
    const before = new Set(
      app.store.approvals
        .of(params.name)
        .filter(isUsable)
        .map(({ tool }) => tool),
    );
    const { approved: tools, pending } = await approveTools(app, params.name, names, reviewed, by);
    const rest = pending.length === 0 ? "" : `; ${pending.length} still ${pending.length === 1 ? "waits" : "wait"}`;
    const knownCount = tools.filter((tool) => before.has(tool)).length;
    const already = knownCount === 0 ? "" : `; ${knownCount} ${knownCount === 1 ? "was" : "were"} approved already`;
    const message = `approved ${plural(tools.length - knownCount, "tool")} of ${params.name}${already}${rest}`;
    const found = await flaggedTools(app, params.name, tools);
    return {
      approved: tools.length,
      tools,
      message,
      ...(found.length > 0 && { flagged: found }),
      ...(pending.length > 0 && { pending }),
    };
  },
});

const isUsable = ({ status, disabled }: ApprovalRow) => status === "approved" && !disabled;
