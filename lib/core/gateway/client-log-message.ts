import type { App } from "../app.ts";
import { callInspector, type InspectedCall } from "../extension/call-inspector.ts";
import type { LogMessage } from "../schema/log-message.ts";

/**
 * Prepares a log message of a server for clients: its text is inspected like that of a result, and the name of the
 * server is added to the name of its logger.
 *
 * @param call the call that the message belongs to, or a call without a tool
 * @returns undefined if the whole message is withheld
 */
export function clientLogMessage(app: App, call: InspectedCall, message: LogMessage): LogMessage | undefined {
  const { level, logger, data } = message;
  const treated = treatedData(app, call, data);
  if (treated === undefined) return undefined;
  return { level, logger: logger === undefined ? call.server : `${call.server}:${logger}`, data: treated };
}

/** Inspects the data like a progress notification. This is synchronous, so messages keep their order. */
function treatedData(app: App, call: InspectedCall, data: unknown): unknown {
  const inspector = app.part(callInspector);
  if (!inspector) return data;
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const { message } = inspector.progress(call, { progress: 0, message: text });
  if (message === text || message === undefined) return message && data;
  if (typeof data === "string") return message;
  try {
    return JSON.parse(message);
  } catch {
    return message;
  }
}
