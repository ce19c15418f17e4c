import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScannerShape } from "#lib/core/schema/scanner-shapes.ts";
import { scannerEntry } from "#lib/modules/scan/scanners.ts";

/** One scanner, with whether it can be used at present. */
export default endpoint("GET /api/v1/security/scanners/{id}/status", {
  summary: "Show a scanner",
  access: "admin",
  data: ScannerShape,
  faults: ["no_such_record"],
  run: ({ app, params }) => scannerEntry(app, params.id),
});
