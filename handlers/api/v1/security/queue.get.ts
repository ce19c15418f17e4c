import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanProgress } from "#lib/core/schema/scan-progress.ts";
import { progress } from "#lib/modules/scan/batch.ts";

/** How scanning all servers goes; idle before there was any. */
export default endpoint("GET /api/v1/security/queue", {
  summary: "Show the progress of the scan of all servers",
  access: "admin",
  data: ScanProgress,
  run: ({ app }) => progress(app),
});
