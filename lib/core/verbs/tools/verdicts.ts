import type { App } from "../../app.ts";
import { similarIds } from "../../gateway/similar-ids.ts";
import { judgeId } from "../../gateway/tool-snapshot.ts";
import type { Refusal } from "../../policy/judge.ts";
import { type SetVerdict, setVerdict } from "../../policy/reasons.ts";
import type { AnnotationPolicy } from "../../schema/annotation-policy.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ToolVerdict } from "../../schema/preflight.ts";

/** A requested tool and its expected pin. */
export interface RequestedTool {
  readonly id: string;
  readonly pin?: string;
}

export interface ToolVerdicts {
  verdict: SetVerdict;
  tools: ToolVerdict[];
}

/**
 * Says for each tool whether it could be called now, from local state: no upstream server is contacted and no state
 * changes.
 *
 * @param tier limits the level of detail below that of the caller
 */
export function toolVerdicts(
  app: App,
  caller: Caller,
  requested: readonly RequestedTool[],
  { policy, tier }: { policy?: AnnotationPolicy | undefined; tier: Caller["tier"] },
): ToolVerdicts {
  const suggestions = similarIds(app, caller);
  const options = { connection: true, tier, ...(policy && { policy }) };
  const tools = requested.map(({ id, pin }): ToolVerdict => {
    const { verdict, known } = judgeId(app, caller, id, { ...options, ...(pin !== undefined && { pin }) });
    if (verdict.ready) {
      const hash = tier === "admin" ? known.tool?.hash : undefined;
      return { id, status: "ready", ...(hash !== undefined && { hash }) };
    }
    return unavailable(id, verdict, suggestions);
  });
  return { verdict: setVerdict(tools.map((tool) => tool.reason)), tools };
}

function unavailable(id: string, verdict: Refusal, suggestions: (id: string) => string[]): ToolVerdict {
  const { reason, retryable, action, detail, remediation } = verdict;
  const similarIds = reason === "not_found" || reason === "server_not_configured" ? suggestions(id) : [];
  return {
    id,
    status: "unavailable",
    reason,
    retryable,
    ...(action && { action }),
    detail,
    remediation,
    ...(similarIds.length > 0 && { did_you_mean: similarIds }),
  };
}
