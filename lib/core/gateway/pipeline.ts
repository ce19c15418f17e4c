import { type App, part } from "../app.ts";
import { auditTrail } from "../extension/audit-trail.ts";
import { callInspector } from "../extension/call-inspector.ts";
import { traffic } from "../extension/traffic.ts";
import { recordCall } from "./record-call.ts";
import { acquireConnection } from "./stages/acquire.ts";
import { auditAllowed } from "./stages/audit-allowed.ts";
import { callReporter } from "./stages/call-reporter.ts";
import { inspectCall } from "./stages/inspect.ts";
import { judgeCall } from "./stages/judge.ts";
import { permitCall } from "./stages/permit.ts";
import { resolveCall } from "./stages/resolve.ts";
import { sendCall } from "./stages/send.ts";
import { sendTraced } from "./stages/send-traced.ts";
import type { Stage } from "./stages/stage.ts";
import { treatReply } from "./stages/treat.ts";

/** The stages that differ by kind of request: a call of a tool, a request about a task, or the use of another item. */
interface RequestStages {
  /** Finds server, item and connection, and all local facts about them. */
  readonly resolve: Stage;
  /**
   * Compares the variant of the call with the tool's annotations, and the arguments with its schema; for calls of tools
   * only.
   */
  readonly permit?: Stage;
  /** Writes the activity record and publishes the events, after the response. */
  readonly record: Stage;
}

/**
 * Returns the stages of a call, in order. They are chosen once per App: the list does not contain stages that are not
 * configured or that no module provides. Only what measures and traces calls can be switched on and off.
 *
 * A stage that rejects the call records the rejection and throws, which ends the call. After `sendCall` there is an
 * outcome to record, so an error is stored in the call and the remaining stages still run.
 */
export function pipeline(app: App, { resolve, permit, record }: RequestStages): readonly Stage[] {
  const isAudited = app.part(auditTrail).isKept;
  const isInspected = app.part(callInspector) !== undefined;
  const stages = [
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
  const sending = stages.indexOf(sendCall);
  const all = stages.length;
  const observeCall = callReporter(app.part(traffic));
  // The other stages keep their places, so that calls in progress do not miss one.
  app.part(traffic).onObserved((isObserved, isTraced) => {
    stages[sending] = isTraced ? sendTraced : sendCall;
    stages.length = all;
    if (isObserved) stages.push(observeCall);
  });
  return stages;
}

/** The stages of a call of a tool. */
export const callPipeline = part<readonly Stage[]>("callPipeline", (app) =>
  pipeline(app, { resolve: resolveCall, permit: permitCall, record: recordCall }),
);
