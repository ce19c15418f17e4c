import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ScanJob } from "#lib/core/schema/scan.ts";
import { startScan } from "#lib/modules/scan/start.ts";

/** Starts a scan of a server; its progress is its status (reference 1.15). */
export default endpoint("POST /api/v1/servers/{name}/scan", {
  summary: "Scan a server",
  access: "admin",
  body: v.object({
    scanner_ids: v.optional(
      v.pipe(v.array(v.string()), v.maxLength(50), v.description("scanners to run; default: all enabled ones")),
    ),
    dry_run: v.optional(v.pipe(v.boolean(), v.description("report what would run, without running it"))),
  }),
  data: ScanJob,
  answers: { status: 202 },
  faults: ["server_not_found", "scan_running", "no_such_record"],
  async run({ app, params, body, by, c }) {
    const job = await startScan(app, params.name, { scanners: body.scanner_ids, dryRun: body.dry_run }, by);
    c.status(202);
    return job;
  },
});
