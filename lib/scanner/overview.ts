import type { App } from "../app.ts";
import { SEVERITIES, type Severity } from "../scan/finding.ts";
import type { ScanSummary } from "../shape/scan.ts";
import { discovered } from "./discovered.ts";
import { lastReport } from "./read.ts";
import { list } from "./scanners.ts";
import { stateOf } from "./state.ts";
import { fingerprintOf } from "./subject.ts";

export interface ScanOverview {
  total_scans: number;
  active_scans: number;
  scanners_installed: number;
  scanners_enabled: number;
  engine_available: boolean;
  servers: number;
  servers_scanned: number;
  last_scan_at?: string;
  findings_by_severity: Pick<ScanSummary, "critical" | "high" | "medium" | "low" | "info" | "total">;
  by_server: {
    server_name: string;
    status: "clean" | "suspicious" | "dangerous" | "not_scanned" | "scanning";
    risk_score: number;
    findings: number;
    /** False: it changed since. */
    current: boolean;
    decision?: string;
  }[];
}

const VERDICTS = ["clean", "suspicious", "dangerous"] as const;

/** How the servers stand: the worst of what discovery found about their tools and of their last finished scan. */
export async function overview(app: App): Promise<ScanOverview> {
  const { running } = stateOf(app);
  const scanners = await list(app);
  const names = app.config.current().mcpServers.map(({ name }) => name);
  const listings: Awaited<ReturnType<typeof discovered>>[] = [];
  for (const name of names) listings.push(await discovered(app, name));
  const reports = names.flatMap((name) => lastReport(app, name) ?? []);
  const sum = (key: Severity) =>
    names.reduce((n, name, at) => {
      const scanned = reports.find(({ server_name }) => server_name === name)?.summary[key] ?? 0;
      const listed = listings[at]?.findings.filter(({ severity }) => severity === key).length ?? 0;
      return n + Math.max(scanned, listed);
    }, 0);
  const severities = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const key of SEVERITIES) severities[key] = sum(key);
  const last = reports
    .map(({ scanned_at }) => scanned_at)
    .sort()
    .at(-1);
  return {
    total_scans: app.store.scans.all().length,
    active_scans: running.size,
    scanners_installed: scanners.length,
    scanners_enabled: scanners.filter(({ enabled }) => enabled).length,
    engine_available: (await app.engine.state()).available,
    servers: names.length,
    servers_scanned: reports.length,
    ...(last !== undefined && { last_scan_at: last }),
    findings_by_severity: { ...severities, total: Object.values(severities).reduce((n, one) => n + one, 0) },
    by_server: names.map((name, at) => {
      const found = reports.find(({ server_name }) => server_name === name);
      const listed = listings[at];
      const verdicts = [found?.verdict, listed?.verdict].flatMap((one) => (one ? [VERDICTS.indexOf(one)] : []));
      const worst = VERDICTS[Math.max(-1, ...verdicts)] ?? "not_scanned";
      return {
        server_name: name,
        status: running.has(name) ? "scanning" : worst,
        risk_score: Math.max(found?.risk_score ?? 0, listed?.risk_score ?? 0),
        findings: Math.max(found?.summary.total ?? 0, listed?.findings.length ?? 0),
        current: found === undefined ? listed !== undefined : found.fingerprint === fingerprintOf(app, name),
        ...(found?.decision !== undefined && { decision: found.decision }),
      };
    }),
  };
}
