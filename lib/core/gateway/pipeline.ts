import { part } from "../app.ts";
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

/**
 * The stages of a call, in order. They are chosen once per App: a stage that is not configured, or that no
 * module provides, is not in the list.
 *
 * A stage that refuses the call records the refusal and throws, which ends the call. From `sendCall` on there is an outcome,
 * so an error is kept in the call and passes through the remaining stages.
 */
export const callPipeline = part<readonly Stage[]>("callPipeline", (app) => {
  const isAudited = app.part(auditTrail).isKept;
  const isInspected = app.part(callInspector) !== undefined;
  return [
    resolveCall, // resolves the id to server, tool and connection, with all local facts about them
    judgeCall, // decides whether the caller may call it now: scope, quarantine, approval, permissions, connection
    permitCall, // compares the call with the tool: variant with annotations, arguments with schema
    ...(isInspected ? [inspectCall] : []), // searches the arguments for sensitive data
    ...(isAudited ? [auditAllowed] : []), // writes the decision to the audit log
    acquireConnection, // opens the caller's own connection, if the server requires one
    sendCall, // sends the request: the only network trip
    ...(isInspected ? [treatReply] : []), // redacts or withholds the reply
    recordCall, // writes the activity record and publishes the events, after the answer
  ];
});
