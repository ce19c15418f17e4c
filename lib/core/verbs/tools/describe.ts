import type { App } from "../../app.ts";
import { similarIds } from "../../gateway/similar-ids.ts";
import { toolSnapshot } from "../../gateway/tool-snapshot.ts";
import { nameForShell } from "../../policy/explain.ts";
import { callVariantFor } from "../../policy/intent.ts";
import { firstReason } from "../../policy/judge.ts";
import { REASONS, type Reason } from "../../policy/reasons.ts";
import { splitToolId } from "../../policy/tool-id.ts";
import type { Caller, Scope } from "../../schema/caller.ts";
import type { DescribedTool } from "../../schema/described-tool.ts";
import type { ToolRow } from "../../schema/tool.ts";

/** Why the definition of an id is not shown. */
interface UndescribedTool {
  id: string;
  error: "not_found" | "quarantined" | "pending_approval" | "changed" | "disabled" | "permission_denied";
  remediation: string;
}

/**
 * Returns the full definitions of some tools. An invalid id does not affect the others. As in a search, a hidden tool
 * is not shown; instead, the reason is returned.
 */
export function describeTools(
  app: App,
  caller: Caller,
  ids: readonly string[],
): { definitions: DescribedTool[]; errors: UndescribedTool[] } {
  const definitions: DescribedTool[] = [];
  const errors: UndescribedTool[] = [];
  const suggestions = similarIds(app, caller);
  for (const id of new Set(ids.map((i) => i.trim()))) {
    const seen = toolSnapshot(app, id);
    const reason = firstReason(seen, { scope: caller.scope, connection: false });
    if (reason === undefined && seen.tool) definitions.push(describeRow(seen.tool, caller.scope));
    else errors.push(missing(suggestions, id, reason));
  }
  return { definitions, errors };
}

/** Returns the full definition of a tool, with the call variant that fits the scope. */
export function describeRow(row: ToolRow, scope: Scope): DescribedTool {
  return {
    name: row.id,
    ...(row.title !== undefined && { title: row.title }),
    description: row.description,
    inputSchema: row.inputSchema,
    ...(row.outputSchema && { outputSchema: row.outputSchema }),
    server: row.server,
    ...(row.annotations && { annotations: row.annotations }),
    call_with: callVariantFor(row.annotations, scope),
  };
}

const CODES: Partial<Record<Reason, UndescribedTool["error"]>> = {
  server_quarantined: "quarantined",
  tool_pending_approval: "pending_approval",
  tool_changed: "changed",
  hash_mismatch: "changed",
  server_disabled: "disabled",
  tool_denied_by_config: "disabled",
  tool_blocked_by_user: "disabled",
  permission_denied: "permission_denied",
};

/** The remedies for a person. `server` and `id` are quoted for a shell. */
const REMEDIES: Record<Exclude<UndescribedTool["error"], "not_found">, (server: string, id: string) => string> = {
  quarantined: (server) =>
    `a person must review its server; ask for a review in the control panel or with: proxy review ${server}`,
  pending_approval: (_, id) =>
    `a person must approve it; ask for approval in the control panel or with: proxy tools approve ${id}`,
  changed: (_, id) =>
    `it changed after its approval and a person must approve it again; ask for a review with: proxy tools diff ${id}`,
  disabled: () => "the tool or its server is disabled; ask a person whether to enable it",
  permission_denied: () => REASONS.permission_denied.remediation("", ""),
};

function missing(suggestions: (id: string) => string[], id: string, reason: Reason | undefined): UndescribedTool {
  const error = (reason && CODES[reason]) ?? "not_found";
  const parts = splitToolId(id);
  if (error !== "not_found")
    return { id, error, remediation: REMEDIES[error](nameForShell(parts?.server ?? ""), nameForShell(id)) };
  const similarIds = suggestions(id);
  if (similarIds.length > 0) return { id, error, remediation: `did you mean ${similarIds.join(" or ")}?` };
  const remediation = parts
    ? "unknown tool; find tools with retrieve_tools"
    : "an id has the form server:tool; find tools with retrieve_tools";
  return { id, error, remediation };
}
