import { type App, part } from "../app.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import { callInspector } from "../extension/call-inspector.ts";
import { recordCall } from "./record-call.ts";
import { acquireConnection } from "./stages/acquire.ts";
import { auditAllowed } from "./stages/audit-allowed.ts";
import { inspectCall } from "./stages/inspect.ts";
import { judgeCall } from "./stages/judge.ts";
import { permitCall } from "./stages/permit.ts";
import { resolveCall } from "./stages/resolve.ts";
import { sendCall } from "./stages/send.ts";
import type { Stage } from "./stages/stage.ts";
import { treatReply } from "./stages/treat.ts";

/** The stages that depend on what is requested: a call of a tool, a request about its task, or the use of another item. */
interface RequestStages {
  /** Resolves the request to server, item and connection, with all local facts about them. */
  readonly resolve: Stage;
  /** Compares the call with the tool: variant with annotations, arguments with schema. Only calls of tools have it. */
  readonly permit?: Stage;
  /** Writes the activity record and publishes the events, after the answer. */
  readonly record: Stage;
}

/**
 * The stages of a call, in order. They are chosen once per App: a stage that is not configured, or that no
 * module provides, is not in the list.
 *
 * A stage that refuses the call records the refusal and throws, which ends the call. From `sendCall` on there is an outcome,
 * so an error is kept in the call and passes through the remaining stages.
 */
export function pipeline(app: App, { resolve, permit, record }: RequestStages): readonly Stage[] {
  const isAudited = app.part(auditTrail).isKept;
  const isInspected = app.part(callInspector) !== undefined;
  return [
    resolve,
    judgeCall, // decides whether the caller may call it now: scope, quarantine, approval, permissions, connection
    ...(permit ? [permit] : []),
    ...(isInspected ? [inspectCall] : []), // searches the arguments for sensitive data
    ...(isAudited ? [auditAllowed] : []), // writes the decision to the audit log
    acquireConnection, // opens the caller's own connection, if the server requires one
    sendCall, // sends the request: the only network trip
    ...(isInspected ? [treatReply] : []), // redacts or withholds the reply
    record,
  ];
}

/** The stages of a call of a tool. */
export const callPipeline = part<readonly Stage[]>("callPipeline", (app) =>
  pipeline(app, { resolve: resolveCall, permit: permitCall, record: recordCall }),
);
