import type { App } from "../../app.ts";
import { near } from "../../gateway/near.ts";
import { snapshot } from "../../gateway/snapshot.ts";
import { forShell } from "../../policy/explain.ts";
import { splitId } from "../../policy/id.ts";
import { callWith } from "../../policy/intent.ts";
import { firstReason } from "../../policy/judge.ts";
import { REASONS, type Reason } from "../../policy/reasons.ts";
import type { Caller, Scope } from "../../schema/caller.ts";
import type { JsonObject, ToolAnnotations } from "../../schema/mcp.ts";
import type { CallVariant, ToolRow } from "../../schema/tool.ts";

/** One tool as a model gets it (spec 001 §4.1). */
export interface Definition {
  /** `server:tool`. */
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  server: string;
  annotations?: ToolAnnotations;
  call_with: CallVariant;
}

/** Why one id has no definition to show. */
export interface Missing {
  id: string;
  error: "not_found" | "quarantined" | "pending_approval" | "changed" | "disabled" | "permission_denied";
  remediation: string;
}

/**
 * The full definitions of a few tools; one bad id never spoils its neighbours. Stands on the same decision as search,
 * and says nothing of a tool that search would withhold but why.
 */
export function describe(
  app: App,
  caller: Caller,
  ids: readonly string[],
): { definitions: Definition[]; errors: Missing[] } {
  const definitions: Definition[] = [];
  const errors: Missing[] = [];
  const suggestions = near(app, caller);
  for (const id of new Set(ids.map((i) => i.trim()))) {
    const seen = snapshot(app, id);
    const reason = firstReason(seen, { scope: caller.scope, connection: false });
    if (reason === undefined && seen.tool) definitions.push(definition(seen.tool, caller.scope));
    else errors.push(missing(suggestions, id, reason));
  }
  return { definitions, errors };
}

/** A row as its full definition, with the call variant that suits the scope. */
export function definition(row: ToolRow, scope: Scope): Definition {
  return {
    name: row.id,
    ...(row.title !== undefined && { title: row.title }),
    description: row.description,
    inputSchema: row.inputSchema,
    ...(row.outputSchema && { outputSchema: row.outputSchema }),
    server: row.server,
    ...(row.annotations && { annotations: row.annotations }),
    call_with: callWith(row.annotations, scope),
  };
}

const CODES: Partial<Record<Reason, Missing["error"]>> = {
  server_quarantined: "quarantined",
  tool_pending_approval: "pending_approval",
  tool_changed: "changed",
  hash_mismatch: "changed",
  server_disabled: "disabled",
  tool_denied_by_config: "disabled",
  tool_blocked_by_user: "disabled",
  permission_denied: "permission_denied",
};

/** What a person does about it; the server and the id come quoted for a shell. */
const REMEDIES: Record<Exclude<Missing["error"], "not_found">, (server: string, id: string) => string> = {
  quarantined: (server) =>
    `its server waits for a person's review; ask them to look at it in the web panel or with: proxy review ${server}`,
  pending_approval: (_, id) =>
    `it waits for a person's approval; ask them to look at it in the web panel or with: proxy tools approve ${id}`,
  changed: (_, id) =>
    `it changed after it was approved and waits for a person; ask them to look at: proxy tools diff ${id}`,
  disabled: () => "it is switched off, or its server is; ask a person whether to switch it on",
  permission_denied: () => REASONS.permission_denied.remediation("", ""),
};

function missing(suggestions: (id: string) => string[], id: string, reason: Reason | undefined): Missing {
  const error = (reason && CODES[reason]) ?? "not_found";
  const parts = splitId(id);
  if (error !== "not_found")
    return { id, error, remediation: REMEDIES[error](forShell(parts?.server ?? ""), forShell(id)) };
  const meant = suggestions(id);
  if (meant.length > 0) return { id, error, remediation: `did you mean ${meant.join(" or ")}?` };
  const remediation = parts
    ? "unknown tool; find tools with retrieve_tools"
    : "an id has the form server:tool; find tools with retrieve_tools";
  return { id, error, remediation };
}
