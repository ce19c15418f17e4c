import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanProgress } from "#lib/core/schema/scan-progress.ts";
import { scanAll } from "#lib/modules/scan/scan-all.ts";

/** Scans every enabled server, a few at a time. */
export default endpoint("POST /api/v1/security/scan-all", {
  summary: "Scan all servers",
  access: "admin",
  body: v.object({ scanner_ids: v.optional(v.pipe(v.array(v.string()), v.maxLength(50))) }),
  data: ScanProgress,
  answers: { status: 202 },
  faults: ["scan_running", "no_such_record"],
  run({ app, body, by, c }) {
    const progress = scanAll(app, body.scanner_ids, by);
    c.status(202);
    return progress;
  },
});
