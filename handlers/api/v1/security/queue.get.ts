import { endpoint } from "#lib/http/endpoint.ts";
import { ScanProgress } from "#lib/http/scan-progress.ts";
import { progress } from "#lib/scanner/batch.ts";

/** How scanning all servers goes; idle before there was any. */
export default endpoint("GET /api/v1/security/queue", {
  summary: "How scanning all servers goes",
  access: "admin",
  data: ScanProgress,
  run: ({ app }) => progress(app),
});
