import type { ItemEntry } from "#lib/core/schema/item-entry.ts";
import type { Release } from "#lib/core/schema/release.ts";
import type { ServerRecord } from "#lib/core/schema/server-record.ts";
import type { ToolEntry } from "#lib/core/schema/tool-entry.ts";
import { askYes, isTerminal } from "./ask.ts";
import type { Cli } from "./cli.ts";
import { definitionText } from "./definition-text.ts";
import { UsageError } from "./exit.ts";
import { quoted } from "./self.ts";
import { itemLines, stillWaitingItemsText, waitingItems } from "./waiting-items.ts";
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

/** Sends the release with the pins that were shown and the accepted findings. */
type SendRelease<R> = (seen: {
  pins: Record<string, string>;
  items: { kind: ItemEntry["kind"]; name: string; pin: string; accept_findings: boolean }[];
  accept_findings: string[];
  accept_instructions: boolean;
}) => Promise<R>;

/** A server with what a release would approve and leave, and the request that approves exactly this. */
export interface PreparedRelease {
  server: ServerRecord;
  /** Tools and items that the release approves. */
  approved: readonly (ToolEntry | ItemEntry)[];
  /** Those that stay pending. */
  left: readonly (ToolEntry | ItemEntry)[];
  /** Describes what the server runs, and which parts the release approves. */
  text(yes: boolean): string;
  body: Parameters<SendRelease<unknown>>[0];
}

/**
 * Reads a quarantined server and its waiting tools and items for a release.
 *
 * @throws Error for a held server, or one that lists nothing
 * @throws UsageError for `--accept-risk` of something that does not wait
 */
export async function prepareRelease(
  cli: Cli,
  name: string,
  { acceptRisk, acceptInstructions }: Pick<ReleaseFlags, "acceptRisk" | "acceptInstructions">,
): Promise<PreparedRelease> {
  const server = await cli.call("GET /api/v1/servers/{name}", { params: { name } });
  if (server.held)
    throw new Error(
      `server "${name}" is held and has never been started; review and confirm it first with: ${cli.self} upstream confirm ${quoted(name)}`,
    );
  const [tools, items] = await Promise.all([waitingTools(cli, name), waitingItems(cli, name)]);
  if (server.tool_count === 0 && items.length === 0) throw new Error(nothingListed(cli, server));
  const names = new Set([...tools, ...items].map((one) => one.name));
  const unknown = acceptRisk.filter((one) => !names.has(one));
  if (unknown.length > 0)
    throw new UsageError(`--accept-risk ${unknown[0]}: no pending tool, prompt or resource of "${name}" has this name`);
  const isApproved = (one: ToolEntry | ItemEntry) =>
    one.approval_status !== "changed" && (graveFindings(one).length === 0 || acceptRisk.includes(one.name));
  const all = [...tools, ...items];
  return {
    server,
    approved: all.filter(isApproved),
    left: all.filter((one) => !isApproved(one)),
    text: (yes) => shownText(server, tools, items, isApproved, yes),
    body: {
      pins: pinsOf(tools.filter((tool) => tool.approval_status !== "changed")),
      items: items.flatMap(({ kind, name, approval_status, current_hash: pin }) =>
        approval_status === "changed" || pin === undefined
          ? []
          : [{ kind, name, pin, accept_findings: acceptRisk.includes(name) }],
      ),
      accept_findings: acceptRisk.filter((one) => tools.some((tool) => tool.name === one)),
      accept_instructions: acceptInstructions,
    },
  };
}

/**
 * Shows a quarantined server and its waiting tools and items, asks at a terminal, and releases it with exactly what was
 * shown.
 *
 * @param send sends the request
 * @returns the response; undefined if the person declined
 * @throws Error for a held server, or one that lists nothing
 * @throws UsageError for `--accept-risk` of something that does not wait, and without `--yes` if no terminal is
 *   available
 */
export async function releaseServer<R extends { release: Release }>(
  cli: Cli,
  name: string,
  { yes, ...flags }: ReleaseFlags,
  send: SendRelease<R>,
): Promise<R | undefined> {
  const prepared = await prepareRelease(cli, name, flags);
  cli.note(prepared.text(yes));
  if (!yes) {
    if (!isTerminal(cli)) throw new UsageError("cannot ask without a terminal; add --yes to release");
    if (!(await askYes(`Release "${name}"?`, cli))) return undefined;
  }
  const done = await send(prepared.body);
  noteStillWaiting(cli, name, done.release);
  return done;
}

/** Reports what a release left unapproved. */
export function noteStillWaiting(cli: Cli, server: string, { pending, items }: Release): void {
  const others = items?.pending ?? [];
  if (pending.length > 0) cli.note(stillWaitingText(cli, server, pending));
  if (others.length > 0)
    cli.note(`still pending (${cli.self} review ${quoted(server)}):\n${stillWaitingItemsText(others)}`);
}

/**
 * Describes what the server runs, and which parts the release approves. Without `--yes` the text says that nothing is
 * decided yet.
 */
function shownText(
  server: ServerRecord,
  tools: readonly ToolEntry[],
  items: readonly ItemEntry[],
  isApproved: (one: ToolEntry | ItemEntry) => boolean,
  yes: boolean,
): string {
  const [approved, left] = [tools.filter(isApproved), tools.filter((tool) => !isApproved(tool))];
  const [approvedItems, leftItems] = [items.filter(isApproved), items.filter((item) => !isApproved(item))];
  const approves = yes ? "approved by this" : "that would be approved";
  return [
    `server "${server.name}" runs:\n${definitionText(server)}`,
    tools.length === 0 && "None of its tools is pending.",
    approved.length > 0 && `Tools ${approves}:\n${toolLines(approved)}`,
    left.length > 0 && `Tools that stay pending:\n${toolLines(left)}`,
    approvedItems.length > 0 && `Prompts and resources ${approves}:\n${itemLines(approvedItems)}`,
    leftItems.length > 0 && `Prompts and resources that stay pending:\n${itemLines(leftItems)}`,
  ]
    .filter((part) => part !== false)
    .join("\n");
}

/** Why nothing can be reviewed, with the remedy. */
export function nothingListed(
  cli: Pick<Cli, "self">,
  { name, last_error, connecting, health }: Pick<ServerRecord, "name" | "last_error" | "connecting" | "health">,
): string {
  const log = `${cli.self} upstream logs ${quoted(name)}`;
  if (connecting && last_error === undefined)
    return `server "${name}" is still starting, which may take minutes if it downloads a package; try again when it has listed its tools; see: ${log}`;
  const why = last_error ?? health.detail ?? health.summary;
  return `server "${name}" lists no tools, so there is nothing to release (${why}); see: ${log}`;
}
