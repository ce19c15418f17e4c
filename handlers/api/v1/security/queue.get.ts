import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanProgress } from "#lib/core/schema/scan-progress.ts";
import { scanProgress } from "#lib/modules/scan/scan-all.ts";

/** The progress of scanning all servers; idle before the first time. */
export default endpoint("GET /api/v1/security/queue", {
  summary: "Show the progress of the scan of all servers",
  access: "admin",
  data: ScanProgress,
  run: ({ app }) => scanProgress(app),
});
