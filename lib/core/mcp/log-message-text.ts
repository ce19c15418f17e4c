import type { LogMessage } from "../schema/log-message.ts";
import { rpcNotificationText } from "./rpc.ts";

/** The whole notification of a log message. */
export function logMessageText(message: LogMessage): string {
  return rpcNotificationText("notifications/message", { ...message });
}
