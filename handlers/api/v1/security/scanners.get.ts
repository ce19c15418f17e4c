import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScannerEntry } from "#lib/core/schema/scanner-shapes.ts";
import { list } from "#lib/modules/scan/scanners.ts";

/** Scanners built in and those of the configuration (`security.scanners`). */
export default endpoint("GET /api/v1/security/scanners", {
  summary: "List the scanners",
  access: "admin",
  data: v.object({ scanners: v.array(ScannerEntry) }),
  run: async ({ app }) => ({ scanners: await list(app) }),
});
