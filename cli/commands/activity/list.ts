import { activityActionText, activityClientText } from "#lib/core/verbs/activity/activity-text.ts";
import { FILTERS, filterQuery } from "../../activity-filter.ts";
import { command } from "../../command.ts";

export default command({
  meta: { description: "List activity records, newest first: calls, blocks and changes" },
  args: {
    ...FILTERS,
    limit: { type: "string", number: true, alias: "n", description: "maximum number of entries (50)" },
    offset: { type: "string", number: true, min: 0, description: "number of newest entries to skip" },
    cursor: { type: "string", valueHint: "cursor", description: "continue after the page that returned this cursor" },
  },
  async run({ cli, args }) {
    const { limit, offset, cursor } = args;
    const query = {
      ...filterQuery(args),
      ...(limit !== undefined && { limit: String(limit) }),
      ...(offset !== undefined && { offset: String(offset) }),
      ...(cursor !== undefined && { cursor }),
    };
    const page = await cli.call("GET /api/v1/activity", { query });
    await cli.show(page.activities, (activities) => ({
      columns: ["time", "id", "type", "about", "status", "what", "error", "ms", "found", "client", "by"],
      whole: ["id"],
      rows: activities.map((a) => [
        a.timestamp,
        a.id,
        a.type,
        [a.server_name, a.tool_name].filter(Boolean).join(":"),
        a.status,
        activityActionText(a.metadata),
        a.error_message,
        a.duration_ms > 0 || a.type === "tool_call" ? a.duration_ms : undefined,
        a.detection_types && `${a.max_severity}: ${a.detection_types.join(", ")}`,
        activityClientText(a.metadata),
        a.actor,
      ]),
      empty: "no activity records",
    }));
    if (page.next_cursor !== undefined)
      cli.hint(`more records: repeat with the same filters and --cursor ${page.next_cursor}`);
  },
});
