import type { App } from "../app.ts";
import { loopShare } from "../base/loop-share.ts";
import type { ToolSnapshot } from "../policy/judge.ts";
import type { Refusal } from "../policy/verdict.ts";
import type { ReviewNotice } from "../schema/review-notice.ts";
import type { RuleReport } from "../schema/rule-finding.ts";
import type { ToolRow } from "../schema/tool.ts";
import { summariseFindings } from "./summarise-findings.ts";

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** Maximum number of tools of one server that are analysed for one response. */
const MAX_TOOLS = 200;

/**
 * Returns the security analysis of a tool that may not be called yet. It consists of counts, flags and names of checks,
 * and contains no text of the upstream, because a model must not read a suspicious description.
 */
export async function reviewNotice(
  app: Pick<App, "catalog">,
  snapshot: ToolSnapshot,
  refusal: Refusal,
): Promise<ReviewNotice> {
  return {
    status: refusal.reason,
    executed: false,
    tool: snapshot.id.slice(0, 300),
    message: `The call was not sent: ${refusal.detail}.`,
    analysis: await analysis(app, snapshot.tool, snapshot.server ? app.catalog.of(snapshot.server.name) : []),
    what_to_do: `A person must decide this; report to them what is waiting. They can ${refusal.remediation}; or use the control panel.`,
    note: "The scan detects known attacks only; a tool without findings is not necessarily safe. The texts of the tool are omitted on purpose.",
  };
}

async function analysis(
  app: Pick<App, "catalog">,
  tool: ToolRow | undefined,
  listed: readonly ToolRow[],
): Promise<ReviewNotice["analysis"]> {
  const scan = async (row: ToolRow) => {
    await app.catalog.prepareScan(row, row.hash);
    return app.catalog.scan(row.server, row, row.hash);
  };
  const report = tool && (await scan(tool));
  const others: RuleReport[] = [];
  const pause = loopShare();
  for (const row of listed.slice(0, MAX_TOOLS)) {
    others.push(row === tool && report ? report : await scan(row));
    await pause();
  }
  const checks: Record<string, number> = {};
  for (const { check } of others.flatMap(summariseFindings)) checks[check] = (checks[check] ?? 0) + 1;
  const flagged = others.filter(({ verdict }) => verdict !== "clean");
  const suspicious = report ? report.verdict !== "clean" : flagged.length > 0;
  return {
    tool_known: tool !== undefined,
    verdict: suspicious ? "suspicious" : tool || listed.length > 0 ? "no findings" : "not scanned",
    findings: report ? summariseFindings(report) : [],
    ...(tool && {
      description_length: tool.description.length,
      parameter_count: Object.keys(Object(tool.inputSchema.properties)).length,
      annotations: hints(tool),
    }),
    server: { tools: listed.length, tools_with_findings: flagged.length, checks },
  };
}

/** Returns the annotations that are booleans. Others are omitted, because they might contain text. */
function hints({ annotations }: ToolRow): Record<string, boolean> {
  return Object.fromEntries(
    HINTS.flatMap((hint) => {
      const value: unknown = annotations?.[hint];
      return typeof value === "boolean" ? [[hint, value]] : [];
    }),
  );
}
