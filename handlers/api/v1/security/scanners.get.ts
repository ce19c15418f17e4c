import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScannerShape } from "#lib/core/schema/scanner-shapes.ts";
import { listScanners } from "#lib/modules/scan/scanners.ts";

/** The built-in scanners and those of the configuration (`security.scanners`). */
export default endpoint("GET /api/v1/security/scanners", {
  summary: "List the scanners",
  access: "admin",
  data: v.object({ scanners: v.array(ScannerShape) }),
  run: async ({ app }) => ({ scanners: await listScanners(app) }),
});
