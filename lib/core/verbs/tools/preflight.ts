import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault, reasonOf } from "../../base/fault.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import { scopeWithinProfile } from "../../policy/scope.ts";
import type { AnnotationPolicy } from "../../schema/annotation-policy.ts";
import type { Actor, Caller } from "../../schema/caller.ts";
import type { Preflight } from "../../schema/preflight.ts";
import { pollWhile } from "./poll-while.ts";
import { type RequestedTool, type ToolVerdicts, toolVerdicts } from "./verdicts.ts";

export interface PreflightRequest {
  /** The tools in the order of the response; a duplicate has one result. */
  tools: readonly RequestedTool[];
  /** If set, checks as if the request came through this profile. */
  profile?: string | undefined;
  policy?: AnnotationPolicy | undefined;
  /** How long to wait for servers that are starting or reconnecting. */
  waitMs?: number | undefined;
  /** Level of detail; the check over MCP gives every caller the detail of an agent. */
  tier: Caller["tier"];
  signal: AbortSignal;
}

/**
 * Checks for each tool whether it could be called now. It contacts no upstream server and changes no state; one
 * activity record is durable before the response (spec 000 §2.6, §2.8, §4.3).
 *
 * @throws Fault invalid_request for an invalid request; check_unavailable if the state cannot be read or the record
 * cannot be written; cancelled
 */
export async function preflightTools(app: App, by: Actor, request: PreflightRequest): Promise<Preflight> {
  const { profile, policy, waitMs, tier, signal } = request;
  const requested = distinct(request.tools);
  const caller = inProfile(app, by.caller, profile);
  const check = () => readable(app, () => toolVerdicts(app, caller, requested, { policy, tier }));
  const isPending = ({ verdict }: ToolVerdicts) => verdict === "degraded_retryable";
  const { seen, waitedMs } = await pollWhile(app, { check, isPending, waitMs: waitMs ?? 0, signal });
  const at = app.clock.now();
  await write(app, by, seen, profile);
  const { verdict, tools } = seen;
  return { verdict, checked_at: rfc3339(at), ...(waitMs !== undefined && { waited_ms: waitedMs }), tools };
}

function distinct(tools: readonly RequestedTool[]): RequestedTool[] {
  const unique = new Map<string, RequestedTool>();
  for (const tool of tools) {
    const id = tool.id.trim();
    const known = unique.get(id);
    if (known && known.pin !== tool.pin)
      throw new Fault("invalid_request", {
        reason: `tools: ${JSON.stringify(id)} is listed twice with different pins`,
      });
    unique.set(id, { ...tool, id });
  }
  return [...unique.values()];
}

function inProfile(app: App, caller: Caller, name: string | undefined): Caller {
  if (name === undefined) return caller;
  const scope = scopeWithinProfile(caller.scope, app.config.current().profiles, name);
  if (!scope) throw new Fault("invalid_request", { reason: `profile: unknown profile ${JSON.stringify(name)}` });
  return { ...caller, scope };
}

/** Checks the tools. Throws if the tools are not known yet, or cannot be read. */
function readable(app: App, look: () => ToolVerdicts): ToolVerdicts {
  if (!app.catalog.ready) throw new Fault("check_unavailable", { reason: "the tools are not indexed yet" });
  try {
    return look();
  } catch (cause) {
    app.log.error("a preflight could not be evaluated", { reason: reasonOf(cause) });
    throw new Fault("check_unavailable", { reason: "the state of the tools could not be read" }, { cause });
  }
}

/** Maximum length of a recorded id (characters). */
const ID_KEPT = 512;

/** Writes the activity record. It contains ids and codes only, without descriptions or hashes. */
async function write(
  app: App,
  by: Actor,
  { verdict, tools }: ToolVerdicts,
  profile: string | undefined,
): Promise<void> {
  const { durable } = recordActivity(app, by, {
    type: "preflight",
    status: "success",
    metadata: {
      verdict,
      ids_count: tools.length,
      reasons: [...new Set(tools.flatMap((tool) => tool.reason ?? []))],
      per_tool: tools.map(({ id, reason = "ready" }) => ({ id: id.slice(0, ID_KEPT), reason })),
      surface: by.origin.source,
      ...(profile !== undefined && { profile }),
    },
  });
  await durable.catch((cause: unknown) => {
    throw new Fault("check_unavailable", { reason: "the result could not be recorded" }, { cause });
  });
}
