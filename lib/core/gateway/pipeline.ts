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
 * The life of a call, in order. The stages are chosen once per App: one that nothing is configured for, or that no
 * module provides, is not in the list.
 *
 * A stage that refuses the call records the refusal and throws, which ends the call. From `sendCall` on there is an outcome,
 * so an error is kept in the call and passes through the remaining stages.
 */
export const callPipeline = part<readonly Stage[]>("callPipeline", (app) => {
  const isAudited = app.part(auditTrail).isKept;
  const isInspected = app.part(callInspector) !== undefined;
  return [
    resolveCall, // the id into server, tool, connection and everything known about them
    judgeCall, // may this caller call it now: scope, quarantine, approval, permissions, connection
    permitCall, // does the call fit the tool: variant against annotations, arguments against schema
    ...(isInspected ? [inspectCall] : []), // sensitive data in the arguments
    ...(isAudited ? [auditAllowed] : []), // the decision, for auditors
    acquireConnection, // the caller's own connection, where the server wants one
    sendCall, // the one network trip
    ...(isInspected ? [treatReply] : []), // the reply as the caller may see it
    recordCall, // the activity record and the events, after the answer
  ];
});
