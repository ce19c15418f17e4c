import type { App } from "../../../core/app.ts";
import { Fault } from "../../../core/base/fault.ts";
import { recordActivity } from "../../../core/gateway/record-activity.ts";
import { type Actor, INTERNAL_CALLER } from "../../../core/schema/caller.ts";
import type { ErrorClass } from "../../../core/schema/connection-status.ts";
import type { Finished } from "../oauth.ts";
import { oauth } from "../state.ts";

/**
 * Accepts the authorization response of a browser once, and connects the server in the background.
 *
 * @param expected the server to which it belongs according to the user
 * @throws Fault code_flow_failed
 */
export async function acceptAnswer(
  app: App,
  answer: URLSearchParams,
  expected?: { server: string },
): Promise<Finished> {
  try {
    const finished = await app.part(oauth).finish(answer, expected);
    recordSignIn(app, finished.server, finished.by, finished.correlationId);
    if (finished.owner === "") app.log.catch("connecting after a sign-in", connect(app, finished.server));
    return finished;
  } catch (error) {
    if (error instanceof Fault && typeof error.facts.by === "string")
      recordSignIn(app, String(error.facts.server), error.facts.by, String(error.facts.correlationId), error.message);
    throw error;
  }
}

/** Records the sign-in under the name of the user who began it, because a returning browser has no credential. */
function recordSignIn(app: App, server: string, name: string, requestId: string, failure?: string): void {
  const by: Actor = { caller: { ...INTERNAL_CALLER, name }, origin: { source: "internal", requestId } };
  recordActivity(app, by, {
    type: "server_change",
    server_name: server,
    status: failure === undefined ? "success" : "error",
    ...(failure !== undefined && { error_message: failure }),
    metadata: {
      action: "login",
      ...(failure !== undefined && { error_class: "sign_in_failed" satisfies ErrorClass }),
    },
  });
}

async function connect(app: App, server: string): Promise<void> {
  const upstream = app.upstreams.get(server);
  if (!upstream || upstream.status().state === "Ready") return;
  // A failure is shown in the server's status.
  await upstream.restart("a user signed in").catch(() => undefined);
}
