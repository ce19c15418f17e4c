import type { App } from "../../app.ts";
import { Fault, reasonOf } from "../../base/fault.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import { isServerHidden } from "../../policy/hidden.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { scrubText } from "../../secrets/mask/text.ts";
import { findServer } from "./find.ts";
import { refuseHeld } from "./held.ts";
import { mayOperate } from "./may-manage.ts";
import { serverRecord as recordOf } from "./record.ts";
import { serverReview } from "./review.ts";

/** Maximum wait for the connection; after it, the response says "still connecting", and the attempt continues. (ms) */
const RESTART_WAIT_MS = 25_000;

/**
 * Drops a server's connection and makes a new one.
 *
 * @returns the record, and why it is not connected, when it is not
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
  const failure = disclosed(app, name, by, await reconnectServer(app, name, by, signal));
  return { record: recordOf(app, name, by.caller), ...(failure !== undefined && { failure }) };
}

/** Only administrators see the error text of a server that waits for review. */
function disclosed(app: App, name: string, { caller }: Actor, failure: string | undefined): string | undefined {
  if (failure === undefined || !isServerHidden(serverReview(app, name), caller)) return failure;
  const { errorClass = "connection_failed" } = app.upstreams.get(name)?.status() ?? {};
  return failure.startsWith(NOT_CONNECTED) ? NOT_CONNECTED + errorClass : failure;
}

/** @returns why there is no connection; undefined if there is one */
export async function reconnectServer(
  app: App,
  name: string,
  by: Actor,
  signal: AbortSignal,
): Promise<string | undefined> {
  mayOperate(by);
  const upstream = app.upstreams.get(name);
  if (!upstream) return "the proxy does not connect to it";
  const deadline = new AbortController();
  const cancel = app.clock.after(RESTART_WAIT_MS, () => deadline.abort());
  const failure = await upstream.restart("requested", AbortSignal.any([signal, deadline.signal])).then(
    () => undefined,
    (error) =>
      deadline.signal.aborted ? "still connecting" : notConnected(upstream.status().lastError ?? reasonOf(error)),
  );
  cancel();
  const { state, lastError } = upstream.status();
  const reason = failure ?? (state === "Ready" ? undefined : notConnected(lastError ?? state));
  recordActivity(app, by, {
    type: "server_change",
    server_name: name,
    status: reason === undefined ? "success" : "error",
    ...(reason !== undefined && { error_message: reason }),
    metadata: { action: "restart" },
  });
  return reason;
}

const NOT_CONNECTED = "not connected: ";
const notConnected = (why: string) => `${NOT_CONNECTED}${scrubText(why)}`;
