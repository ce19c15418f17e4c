import * as v from "valibot";

const count = v.number();

/** The scan results of all servers. Each combines the findings of discovery and those of the last finished scan. */
export const ScanOverview = v.object({
  total_scans: v.pipe(count, v.description("number of stored scans")),
  active_scans: count,
  scanners_installed: count,
  scanners_enabled: count,
  engine_available: v.pipe(v.boolean(), v.description("whether a container engine is available")),
  servers: count,
  servers_scanned: v.pipe(count, v.description("servers with a listing or a finished scan")),
  last_scan_at: v.optional(v.pipe(v.string(), v.description("end of the last scan that was started by a request"))),
  findings_by_severity: v.object({
    critical: count,
    high: count,
    medium: count,
    low: count,
    info: count,
    total: count,
  }),
  by_server: v.array(
    v.object({
      server_name: v.string(),
      status: v.pipe(
        v.picklist(["clean", "suspicious", "dangerous", "not_scanned", "scanning"]),
        v.description("not_scanned: no tools were listed yet, and no scan has finished"),
      ),
      risk_score: count,
      findings: count,
      current: v.pipe(
        v.boolean(),
        v.description("false: the server changed since the last scan, or was never scanned"),
      ),
      decision: v.optional(v.string()),
    }),
  ),
});
export type ScanOverview = v.InferOutput<typeof ScanOverview>;
