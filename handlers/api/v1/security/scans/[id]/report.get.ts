import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanReport } from "#lib/core/schema/scan.ts";
import { scanReportOf } from "#lib/modules/scan/scan-status.ts";

/** The report of one scan. */
export default endpoint("GET /api/v1/security/scans/{id}/report", {
  summary: "Show one scan",
  access: "admin",
  data: ScanReport,
  faults: ["no_such_record"],
  run: ({ app, params, caller }) => scanReportOf(app, params.id, caller),
});
