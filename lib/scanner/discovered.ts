import type { App } from "../app.ts";
import type { Finding } from "../scan/finding.ts";
import { sumUp } from "../scan/finding.ts";

/** Tools looked at between two turns of the event loop. */
const SLICE = 20;

/** What the scan at discovery says of a server's tools and instructions together; undefined where nothing was listed. */
export async function discovered(app: App, server: string) {
  const rows = app.catalog.of(server);
  const instructions = app.upstreams.get(server)?.status().instructions;
  if (rows.length === 0 && !instructions) return undefined;
  const findings: Finding[] = [];
  let complete = true;
  for (const [at, row] of rows.entries()) {
    if (at % SLICE === SLICE - 1) await new Promise<void>((next) => setImmediate(next));
    const report = app.catalog.scan(server, row, row.hash);
    complete &&= report.complete;
    findings.push(...report.findings);
  }
  if (instructions) findings.push(...app.catalog.scanInstructions(server, instructions).findings);
  const { verdict, risk_score } = sumUp(findings, complete);
  return { verdict, risk_score, findings };
}
