import type { App } from "../../core/app.ts";
import type { ScanReport, ScanSummary } from "../../core/schema/scan.ts";
import type { ScanOverview } from "../../core/schema/scan-overview.ts";
import { containerEngine } from "../isolation/state.ts";
import { listScanners } from "./scanners.ts";
import { standing } from "./standing.ts";
import { stateOf } from "./state.ts";

/** The verdicts of all servers, from the findings of discovery and the last finished scan together. */
export async function overview(app: App): Promise<ScanOverview> {
  const { running } = stateOf(app);
  const scanners = await listScanners(app);
  const names = app.config.current().mcpServers.map(({ name }) => name);
  const reports = new Map<string, ScanReport>();
  for (const name of names) {
    const report = await standing(app, name);
    if (report) reports.set(name, report);
  }
  const all = [...reports.values()];
  const sum = (key: keyof ScanSummary) => all.reduce((n, { summary }) => n + summary[key], 0);
  const last = all
    .flatMap(({ job_id, scanned_at }) => (job_id === "" ? [] : [scanned_at]))
    .sort()
    .at(-1);
  return {
    total_scans: (await app.store.scans.all()).length,
    active_scans: running.size,
    scanners_installed: scanners.length,
    scanners_enabled: scanners.filter(({ enabled }) => enabled).length,
    engine_available: (await app.part(containerEngine).state()).available,
    servers: names.length,
    servers_scanned: reports.size,
    ...(last !== undefined && { last_scan_at: last }),
    findings_by_severity: {
      critical: sum("critical"),
      high: sum("high"),
      medium: sum("medium"),
      low: sum("low"),
      info: sum("info"),
      total: sum("total"),
    },
    by_server: names.map((name) => {
      const found = reports.get(name);
      return {
        server_name: name,
        status: running.has(name) ? "scanning" : (found?.verdict ?? "not_scanned"),
        risk_score: found?.risk_score ?? 0,
        findings: found?.summary.total ?? 0,
        current: found?.current ?? false,
        ...(found?.decision !== undefined && { decision: found.decision }),
      };
    }),
  };
}
