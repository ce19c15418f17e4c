import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { ScannerEntry } from "#lib/http/scanner-shapes.ts";
import { list } from "#lib/scanner/scanners.ts";

/** Scanners built in and those of the configuration (`security.scanners`). */
export default endpoint("GET /api/v1/security/scanners", {
  summary: "List the scanners",
  access: "admin",
  data: v.object({ scanners: v.array(ScannerEntry) }),
  run: async ({ app }) => ({ scanners: await list(app) }),
});
