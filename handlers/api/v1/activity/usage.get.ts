import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { choice, clamped, text, word } from "#lib/core/api/query.ts";
import { TimelineSlot, ToolUsage } from "#lib/core/schema/tool-usage.ts";
import { usageByTool } from "#lib/core/verbs/activity/usage.ts";

const about = v.description;
const count = v.number();

/** Usage of tools: number of calls, duration, size of responses (reference 1.9). */
export default endpoint("GET /api/v1/activity/usage", {
  summary: "Count calls by tool, with their durations and sizes",
  access: "read",
  query: v.object({
    window: choice(["24h", "7d", "all"], "24h", "period"),
    server: text(128, "only records of this server"),
    tool: text(1024, "only tools with this name, without their server"),
    status: word(["success", "error", "blocked", "rejected"], "only calls with this status"),
    top: clamped(1, 1000, 20),
    sort: choice(["calls", "resp_bytes", "error_rate", "p95"], "resp_bytes", "sort key, in descending order"),
  }),
  data: v.object({
    window: v.picklist(["24h", "7d", "all"]),
    generated_at: v.string(),
    freshness_ms: v.pipe(count, about("age of these numbers (ms)")),
    token_source: v.literal("bytes"),
    tools: v.array(ToolUsage),
    other: v.optional(
      v.pipe(
        v.object({ tools_folded: count, calls: count, total_resp_bytes: count }),
        about("totals of the tools beyond `top`"),
      ),
    ),
    timeline: v.array(TimelineSlot),
  }),
  run({ app, caller, query, signal }) {
    const { window, sort, top, server, tool, status } = query;
    const members = { server, tool, status };
    const filter = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
    return usageByTool(app, { window, sort, top, filter }, caller, signal);
  },
});
