import type { App } from "../../app.ts";
import { loopShare } from "../../base/loop-share.ts";
import type { FlaggedTool } from "../../schema/flagged-tool.ts";

/** Returns the tools, of some tools of a server, in which the scan has findings. */
export async function flaggedTools(app: App, server: string, tools: readonly string[]): Promise<FlaggedTool[]> {
  const found: FlaggedTool[] = [];
  const pause = loopShare();
  for (const tool of tools) {
    const row = app.store.approvals.get(server, tool);
    if (!row) continue;
    await app.catalog.prepareScan(row.current, row.currentHash);
    const { verdict, risk_score, findings } = app.catalog.scan(server, row.current, row.currentHash);
    if (verdict !== "clean")
      found.push({ tool, verdict, risk_score, rules: [...new Set(findings.map(({ rule }) => rule))] });
    await pause();
  }
  return found;
}
