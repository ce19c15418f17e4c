import type { App } from "../app.ts";
import { callInspector, type InspectedCall } from "../extension/call-inspector.ts";
import type { LogMessage } from "../schema/log-message.ts";

/**
 * A log message of a server as clients get it: treated as the texts of results are, and with the server in the name of its
 * logger.
 *
 * @param call the call that it belongs to, or one without a tool
 * @returns undefined where all of it is withheld
 */
export function clientLogMessage(app: App, call: InspectedCall, message: LogMessage): LogMessage | undefined {
  const { level, logger, data } = message;
  const treated = treatedData(app, call, data);
  if (treated === undefined) return undefined;
  return { level, logger: logger === undefined ? call.server : `${call.server}:${logger}`, data: treated };
}

/** The treatment of progress applies: it is done at once, which keeps messages in their order. */
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
