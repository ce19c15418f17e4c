import type { App } from "../../app.ts";
import { loopShare } from "../../base/loop-share.ts";
import type { StillWaiting } from "../../schema/release.ts";
import type { RuleFinding } from "../../schema/rule-finding.ts";
import type { ApprovalRow } from "../../schema/tool.ts";

type GraveFindings = NonNullable<StillWaiting["findings"]>;

/**
 * Returns the findings that a person must accept by name before the tool can be approved: those of severity high or
 * critical. Texts that were not scanned yet are scanned now, yielding to other work.
 *
 * @returns findings by tool name; tools without such findings are absent
 */
export async function graveFindings(
  { catalog }: Pick<App, "catalog">,
  server: string,
  rows: readonly ApprovalRow[],
): Promise<Map<string, GraveFindings>> {
  const found = new Map<string, GraveFindings>();
  const pause = loopShare();
  for (const { tool, current, currentHash } of rows) {
    await catalog.prepareScan(current, currentHash);
    const grave = onlyGrave(catalog.scan(server, current, currentHash).findings);
    if (grave.length > 0) found.set(tool, grave);
    await pause();
  }
  return found;
}

/** Returns the findings of severity high or critical in the server's instructions, if the instructions are known. */
export function graveInstructions(app: Pick<App, "catalog" | "upstreams">, server: string): GraveFindings {
  const instructions = app.upstreams.get(server)?.status().instructions;
  return instructions === undefined ? [] : onlyGrave(app.catalog.scanInstructions(server, instructions).findings);
}

function onlyGrave(findings: readonly RuleFinding[]): GraveFindings {
  return findings.flatMap(({ rule, severity, location }) =>
    severity === "critical" || severity === "high" ? [{ rule, severity, location }] : [],
  );
}
