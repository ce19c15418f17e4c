import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import type { ServerScan } from "../../core/catalog/server-scans.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { RULE_SEVERITIES } from "../../core/schema/rule-finding.ts";
import type { ScanFinding, ScanReport, ScanRow } from "../../core/schema/scan.ts";
import { asReported } from "./discovered.ts";
import { fingerprintOf } from "./subject.ts";
import { summarise } from "./summarise.ts";

type Report = NonNullable<ScanRow["report"]>;
type Parts = Pick<App, "catalog" | "store" | "upstreams" | "config">;

/**
 * The combined report about a server: the findings of discovery and of the last requested scan, each once, with the
 * worse verdict and the higher risk of the two.
 *
 * @returns undefined if nothing was ever listed and no scan completed
 */
export async function standing(app: Parts, server: string): Promise<ScanReport | undefined> {
  const discovered = await app.catalog.scanServer(server, instructionsOf(app, server));
  return await joined(app, server, discovered);
}

/**
 * Verdict, risk and number of findings, without computing anything: discovery is included if its scan was read since
 * the last listing.
 *
 * @returns undefined if it is not included and no scan completed
 */
export function knownStanding(app: Parts, server: string) {
  const discovered = app.catalog.cachedServerScan(server, instructionsOf(app, server));
  const last = app.store.scans.last(server)?.report;
  if (!discovered && !last) return undefined;
  return {
    ...worse(discovered, last),
    findings: last ? unionOf(discovered?.findings.map(asReported) ?? [], last).length : discovered!.findings.length,
  };
}

/**
 * Scans the lists of servers that were not scanned since the last listing, so that records for this caller contain the
 * result.
 */
export async function readStandings(
  app: Parts,
  { tier }: Pick<Caller, "tier">,
  servers: readonly { readonly name: string }[] = app.config.current().mcpServers,
): Promise<void> {
  if (tier !== "admin") return;
  for (const { name } of servers) await app.catalog.scanServer(name, instructionsOf(app, name));
}

/** Returns whether `readStandings` has nothing to do for a server. */
export function isStandingRead(app: Parts, server: string): boolean {
  return app.catalog.isServerScanned(server, instructionsOf(app, server));
}

const instructionsOf = ({ upstreams }: Pick<App, "upstreams">, server: string) =>
  upstreams.get(server)?.status().instructions;

async function joined(app: Parts, server: string, discovered: ServerScan | undefined): Promise<ScanReport | undefined> {
  const last = app.store.scans.last(server)?.report;
  const fingerprint = await fingerprintOf(app, server);
  if (!last) return discovered && atDiscovery(server, discovered, fingerprint);
  const current = last.fingerprint === fingerprint;
  if (!discovered) return { ...last, current };
  const findings = unionOf(discovered.findings.map(asReported), last);
  return { ...last, ...worse(discovered, last), summary: summarise(findings), findings, current };
}

/** The report of a server without a requested scan: one scanner, applied to the current lists. */
function atDiscovery(server: string, discovered: ServerScan, fingerprint: string): ScanReport {
  const { verdict, risk_score, complete, scannedAt } = discovered;
  const findings = discovered.findings.map(asReported);
  return {
    job_id: "",
    server_name: server,
    verdict,
    risk_score,
    summary: summarise(findings),
    findings,
    scanned_at: rfc3339(scannedAt),
    scanners_run: 1,
    scanners_failed: 0,
    scanners_total: 1,
    scan_complete: complete,
    fingerprint,
    current: true,
  };
}

/** Merges findings: one for each rule, location and item, the most severe first. */
function unionOf(discovered: readonly ScanFinding[], last: Report): ScanFinding[] {
  const keyOf = ({ rule_id, location, tool, kind, item }: ScanFinding) =>
    JSON.stringify([rule_id, location, tool, kind, item]);
  const knownKeys = new Set(last.findings.map(keyOf));
  const all = [...last.findings, ...discovered.filter((finding) => !knownKeys.has(keyOf(finding)))];
  return all.sort((a, b) => RULE_SEVERITIES.indexOf(a.severity) - RULE_SEVERITIES.indexOf(b.severity));
}

const VERDICTS = ["clean", "suspicious", "dangerous"] as const;

function worse(
  a: Pick<ServerScan, "verdict" | "risk_score"> | undefined,
  b: Pick<Report, "verdict" | "risk_score"> | undefined,
) {
  const both = [a, b].flatMap((one) => one ?? []);
  const verdict = VERDICTS[Math.max(...both.map((one) => VERDICTS.indexOf(one.verdict)))]!;
  return { verdict, risk_score: Math.max(...both.map((one) => one.risk_score)) };
}
