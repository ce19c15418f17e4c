import * as v from "valibot";

const count = v.number();

/** The progress of scanning all servers. */
export const ScanProgress = v.object({
  status: v.picklist(["idle", "running", "completed", "cancelled"]),
  id: v.optional(v.string()),
  started_at: v.optional(v.string()),
  total: count,
  completed: count,
  failed: v.pipe(count, v.description("number of failed or cancelled scans")),
  waiting: v.array(v.string()),
  running: v.pipe(v.array(v.string()), v.description("servers that are being scanned")),
});
