import type { ToolEntry } from "#lib/core/schema/tool-entry.ts";
import type { Cli } from "./cli.ts";
import { quoted } from "./self.ts";

/** The tools of a server that wait for review: new or changed, and neither blocked nor omitted. */
export async function waitingTools(cli: Cli, server: string): Promise<ToolEntry[]> {
  const { tools } = await cli.call("GET /api/v1/servers/{name}/tools", { params: { name: server } });
  return tools.filter((tool) => tool.approval_status !== "approved" && !tool.disabled && !tool.config_denied);
}

/** The findings that a person must accept by the tool's name before an approval. */
export function graveFindings({ scan }: Pick<ToolEntry, "scan">) {
  return scan?.findings.filter(({ severity }) => severity === "high" || severity === "critical") ?? [];
}

/** The pins of tools as listed, for an approval. */
export function pinsOf(tools: readonly ToolEntry[]): Record<string, string> {
  return Object.fromEntries(
    tools.flatMap(({ name, current_hash }) => (current_hash === undefined ? [] : [[name, current_hash]])),
  );
}

/** One line for each tool, followed by one for each finding that must be accepted. */
export function toolLines(tools: readonly ToolEntry[]): string {
  return tools
    .flatMap((tool) => [
      `  ${tool.name}${tool.approval_status === "changed" ? " (changed)" : ""}: ${firstLine(tool.description)}`,
      ...graveFindings(tool).map(
        ({ severity, rule, location, explanation }) => `    ${severity}: ${rule} in ${location}: ${explanation}`,
      ),
    ])
    .join("\n");
}

/** Describes the tools that a response reports as still waiting, with the remedy for each. */
export function stillWaitingText(
  cli: Pick<Cli, "self">,
  server: string,
  pending: readonly { tool: string; reason: string; findings?: readonly { rule: string }[] | undefined }[],
): string {
  const why: Record<string, string> = {
    changed_since: "added or changed after it was shown",
    not_listed: "the server does not list it",
  };
  const lines = pending.map(({ tool, reason, findings = [] }) => {
    const rules = [...new Set(findings.map(({ rule }) => rule))].join(", ");
    if (reason === "findings")
      return `  ${tool}: not approved, the scan found ${rules}; to approve it anyway add: --accept-risk ${quoted(tool)}`;
    if (reason === "instructions")
      return `  ${tool}: not approved, the scan found ${rules} in the server's instructions; to approve it anyway add: --accept-instructions`;
    return `  ${tool}: not approved, ${why[reason] ?? reason}`;
  });
  return [`still pending (${cli.self} review ${quoted(server)}):`, ...lines].join("\n");
}

/** The first line of a text, for a list. */
export function firstLine(text: string): string {
  const line = text.split(/\r?\n/, 1)[0] ?? "";
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
