import type { Release } from "#lib/core/schema/release.ts";
import type { ServerRecord } from "#lib/core/schema/server-record.ts";
import type { ToolEntry } from "#lib/core/schema/tool-entry.ts";
import { askYes, isTerminal } from "./ask.ts";
import type { Cli } from "./cli.ts";
import { definitionText } from "./definition-text.ts";
import { UsageError } from "./exit.ts";
import { quoted } from "./self.ts";
import { graveFindings, pinsOf, stillWaitingText, toolLines, waitingTools } from "./waiting-tools.ts";

/** Flags of every command that approves tools. */
export const RISK_ARG = {
  "accept-risk": {
    type: "string",
    many: true,
    valueHint: "tool",
    description: "approve this tool despite a finding of high or critical severity",
  },
  "accept-instructions": {
    type: "boolean",
    description: "approve tools despite such a finding in the server's instructions",
  },
} as const;

export const RELEASE_ARGS = {
  ...RISK_ARG,
  yes: { type: "boolean", alias: "y", description: "release without asking" },
} as const;

interface ReleaseFlags {
  acceptRisk: readonly string[];
  acceptInstructions: boolean;
  yes: boolean;
}

/** What the release is asked with: the pins of the tools that were shown, and the findings that were accepted. */
type SendRelease<R> = (seen: {
  pins: Record<string, string>;
  accept_findings: string[];
  accept_instructions: boolean;
}) => Promise<R>;

/**
 * Shows a quarantined server and its waiting tools, asks at a terminal, and releases it with exactly those tools.
 *
 * @param send makes the request
 * @returns its answer; undefined when the person declined
 * @throws Error for a server that is held or lists nothing
 * @throws UsageError for `--accept-risk` of a tool that does not wait, and without `--yes` where nobody can be asked
 */
export async function releaseServer<R extends { release: Release }>(
  cli: Cli,
  name: string,
  { acceptRisk, acceptInstructions, yes }: ReleaseFlags,
  send: SendRelease<R>,
): Promise<R | undefined> {
  const server = await cli.call("GET /api/v1/servers/{name}", { params: { name } });
  if (server.held)
    throw new Error(
      `server "${name}" is held and has never been started; review and confirm it first with: ${cli.self} upstream confirm ${quoted(name)}`,
    );
  const waiting = await waitingTools(cli, name);
  if (server.tool_count === 0) throw new Error(nothingListed(cli, server));
  const unknown = acceptRisk.filter((tool) => !waiting.some((one) => one.name === tool));
  if (unknown.length > 0)
    throw new UsageError(`--accept-risk ${unknown[0]}: no pending tool of "${name}" has this name`);
  cli.note(shownText(server, waiting, { acceptRisk, yes }));
  if (!yes) {
    if (!isTerminal(cli)) throw new UsageError("cannot ask without a terminal; add --yes to release");
    if (!(await askYes(`Release "${name}"?`, cli))) return undefined;
  }
  const done = await send({
    pins: pinsOf(waiting.filter((tool) => tool.approval_status !== "changed")),
    accept_findings: [...acceptRisk],
    accept_instructions: acceptInstructions,
  });
  if (done.release.pending.length > 0) cli.note(stillWaitingText(cli, name, done.release.pending));
  return done;
}

/**
 * What the server runs, and which of its waiting tools the release approves and which it does not. Without `--yes`
 * nothing is decided yet, and the text says so.
 */
function shownText(
  server: ServerRecord,
  waiting: readonly ToolEntry[],
  { acceptRisk, yes }: Pick<ReleaseFlags, "acceptRisk" | "yes">,
): string {
  const isApproved = (tool: ToolEntry) =>
    tool.approval_status !== "changed" && (graveFindings(tool).length === 0 || acceptRisk.includes(tool.name));
  const [approved, left] = [waiting.filter(isApproved), waiting.filter((tool) => !isApproved(tool))];
  return [
    `server "${server.name}" runs:\n${definitionText(server)}`,
    waiting.length === 0 && "None of its tools is pending.",
    approved.length > 0 && `Tools ${yes ? "approved by this" : "that would be approved"}:\n${toolLines(approved)}`,
    left.length > 0 && `Tools that stay pending:\n${toolLines(left)}`,
  ]
    .filter((part) => part !== false)
    .join("\n");
}

/** Why there is nothing to review, and what to do about that. */
export function nothingListed(cli: Pick<Cli, "self">, { name, last_error, health }: ServerRecord): string {
  const why = last_error ?? health.detail ?? health.summary;
  return `server "${name}" lists no tools, so there is nothing to release (${why}); see: ${cli.self} upstream logs ${quoted(name)}`;
}
