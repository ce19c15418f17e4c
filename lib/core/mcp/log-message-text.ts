import type { LogMessage } from "../schema/log-message.ts";
import { rpcNotificationText } from "./rpc.ts";

/** Returns the notification with a log message. */
export function logMessageText(message: LogMessage): string {
  return rpcNotificationText("notifications/message", { ...message });
}
