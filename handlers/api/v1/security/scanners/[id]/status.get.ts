import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScannerShape } from "#lib/core/schema/scanner-shapes.ts";
import { scannerEntry } from "#lib/modules/scan/scanners.ts";

/** One scanner, and whether it can be used now. */
export default endpoint("GET /api/v1/security/scanners/{id}/status", {
  summary: "Show a scanner",
  access: "admin",
  data: ScannerShape,
  faults: ["no_such_record"],
  run: ({ app, params }) => scannerEntry(app, params.id),
});
