import type { App } from "../../core/app.ts";
import type { ChannelConfig } from "./config.ts";
import type { Message } from "./message.ts";

/**
 * Sends one message through a channel. Secrets are resolved for each message, because a person may change them.
 *
 * @throws why it was not sent
 */
export type Send = (app: App, channel: ChannelConfig, message: Message, signal: AbortSignal) => Promise<void>;
