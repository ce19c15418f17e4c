import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanOverview } from "#lib/core/schema/scan-overview.ts";
import { overview } from "#lib/modules/scan/overview.ts";

/** How all servers stand, each by what discovery found and its last finished scan together. */
export default endpoint("GET /api/v1/security/overview", {
  summary: "Summarize the findings of all scans",
  access: "admin",
  data: ScanOverview,
  run: ({ app }) => overview(app),
});
