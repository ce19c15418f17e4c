import * as v from "valibot";
import { activityFilter, activityFilters } from "#lib/core/api/activity-filters.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { choice, optionalClamped } from "#lib/core/api/query.ts";
import { textStream } from "#lib/core/api/text-stream.ts";
import { exportActivity } from "#lib/core/verbs/activity/export.ts";

const FORMATS = {
  json: { type: "application/x-ndjson", file: "activity-export.jsonl" },
  csv: { type: "text/csv; charset=utf-8; header=present", file: "activity-export.csv" },
} as const;

/** All matching records as JSON Lines or CSV, streamed (spec 000 §4.6). */
export default endpoint("GET /api/v1/activity/export", {
  summary: "Export activity records as JSON Lines or CSV",
  access: "read",
  query: v.object({
    ...activityFilters,
    format: choice(["json", "csv"], "json", "JSON Lines, or CSV that is safe to open in a spreadsheet"),
    include_bodies: choice(["true", "false"], "false", "include arguments and response; JSON Lines only"),
    limit: optionalClamped(1_000_000_000, "maximum number of records, the latest first; absent: all"),
  }),
  data: v.pipe(v.string(), v.description("one record per line, newest first")),
  answers: { json: false, types: ["application/x-ndjson", "text/csv"] },
  run({ app, caller, query }) {
    const { format, include_bodies, limit, ...filters } = query;
    const exportRequest = { format, filter: activityFilter(filters), bodies: include_bodies === "true", limit };
    const pieces = exportActivity(app, exportRequest, caller);
    const source = {
      next: async () => (await pieces.next()).value as string | undefined,
      close: () => app.log.catch("ending an export", pieces.return(undefined)),
    };
    const { type, file } = FORMATS[format];
    return new Response(
      textStream(source, (error) => app.log.error("an export of activity records failed", { error })),
      {
        headers: {
          "Content-Type": type,
          "Content-Disposition": `attachment; filename="${file}"`,
          "Cache-Control": "no-store",
        },
      },
    );
  },
});
