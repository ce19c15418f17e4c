import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanOverview } from "#lib/core/schema/scan-overview.ts";
import { overview } from "#lib/modules/scan/overview.ts";

/** The verdicts of all servers, from the findings of discovery and the last completed scan together. */
export default endpoint("GET /api/v1/security/overview", {
  summary: "Summarize the findings of all scans",
  access: "admin",
  data: ScanOverview,
  run: ({ app }) => overview(app),
});
