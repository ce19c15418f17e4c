import type { App } from "../app.ts";

/** A tool that the offline scan does not find clean, by the names of the rules alone. */
export interface Flagged {
  tool: string;
  verdict: "suspicious" | "dangerous";
  risk_score: number;
  rules: string[];
}

/** Those of a server's tools that a person should look at twice. */
export function flagged(app: App, server: string, tools: readonly string[]): Flagged[] {
  return tools.flatMap((tool) => {
    const row = app.store.approvals.get(server, tool);
    if (!row) return [];
    const { verdict, risk_score, findings } = app.catalog.scan(server, row.current, row.currentHash);
    if (verdict === "clean") return [];
    return [{ tool, verdict, risk_score, rules: [...new Set(findings.map(({ rule }) => rule))] }];
  });
}
