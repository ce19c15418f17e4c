import type { App } from "../../app.ts";
import { Fault, reasonOf } from "../../base/fault.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import { isServerHidden } from "../../policy/hidden.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ErrorClass } from "../../schema/connection-status.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { scrubText } from "../../secrets/mask/text.ts";
import { findServer } from "./find.ts";
import { refuseHeld } from "./held.ts";
import { mayOperate } from "./may-manage.ts";
import { serverRecord as recordOf } from "./record.ts";
import { serverReview } from "./review.ts";

/**
 * Maximum time to wait for the connection. Then the response says "still connecting", and the attempt continues. (ms)
 */
const RESTART_WAIT_MS = 25_000;

/**
 * Closes a server's connection and opens a new one.
 *
 * @returns the record and, if the server is not connected, the reason
 * @throws Fault server_not_found, server_held, server_disabled, admin_required
 */
export async function restartServer(
  app: App,
  name: string,
  by: Actor,
  signal: AbortSignal,
): Promise<{ record: ServerRecord; failure?: string }> {
  mayOperate(by);
  const server = findServer(app, name, by.caller);
  refuseHeld(server);
  if (!server.enabled) throw new Fault("server_disabled", { server: name });
  const failure = await reconnectServer(app, name, by, signal);
  return { record: recordOf(app, name, by.caller), ...(failure && { failure: disclosed(app, name, by, failure) }) };
}

/** Replaces the error of a server that waits for review by its class, except for administrators. */
function disclosed(app: App, name: string, { caller }: Actor, { text, errorClass }: ReconnectFailure): string {
  if (errorClass === undefined || !isServerHidden(serverReview(app, name), caller)) return text;
  return `not connected: ${errorClass}`;
}

interface ReconnectFailure {
  /** The reason as text for people; it may quote the server. */
  readonly text: string;
  /** The class of the connection's error; undefined while the attempt continues. */
  readonly errorClass?: ErrorClass;
}

/** Closes a server's connection and opens a new one. @returns why it is not connected; undefined if it is */
export async function reconnectServer(
  app: App,
  name: string,
  by: Actor,
  signal: AbortSignal,
): Promise<ReconnectFailure | undefined> {
  mayOperate(by);
  const upstream = app.upstreams.get(name);
  if (!upstream) return { text: "the proxy does not connect to it" };
  const deadline = new AbortController();
  const cancel = app.clock.after(RESTART_WAIT_MS, () => deadline.abort());
  const thrown: unknown = await upstream.restart("requested", AbortSignal.any([signal, deadline.signal])).then(
    () => undefined,
    (error) => error,
  );
  cancel();
  const { state, lastError, errorClass = "connection_failed" } = upstream.status();
  const failureOf = (): ReconnectFailure | undefined => {
    if (thrown === undefined && state === "Ready") return undefined;
    if (thrown !== undefined && deadline.signal.aborted) return { text: "still connecting" };
    const why = lastError ?? (thrown === undefined ? state : reasonOf(thrown));
    return { text: `not connected: ${scrubText(why)}`, errorClass };
  };
  const failure = failureOf();
  recordActivity(app, by, {
    type: "server_change",
    server_name: name,
    status: failure ? "error" : "success",
    ...(failure && { error_message: failure.text }),
    metadata: { action: "restart", ...(failure?.errorClass && { error_class: failure.errorClass }) },
  });
  return failure;
}
