import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanReport } from "#lib/core/schema/scan.ts";
import { toSarif } from "#lib/modules/scan/rules/sarif.ts";
import { scanReport } from "#lib/modules/scan/scan-status.ts";

/** The findings of discovery and of the last completed scan of a server together; excerpts only for administrators. */
export default endpoint("GET /api/v1/servers/{name}/scan/report", {
  summary: "Show the findings of discovery and of the last scan of a server",
  access: "read",
  query: v.object({
    include_sarif: v.optional(
      v.pipe(v.picklist(["true", "false"]), v.description("the same as a SARIF 2.1.0 document")),
      "false",
    ),
  }),
  data: v.object({ ...ScanReport.entries, sarif: v.optional(v.record(v.string(), v.unknown())) }),
  faults: ["server_not_found", "no_such_record"],
  async run({ app, params, query, caller }) {
    const found = await scanReport(app, params.name, caller);
    return { ...found, ...(query.include_sarif === "true" && { sarif: toSarif(found.findings, app.boot.version) }) };
  },
});
