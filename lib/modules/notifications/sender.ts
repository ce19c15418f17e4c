import type { App } from "../../core/app.ts";
import type { ChannelConfig } from "./config.ts";
import type { Message } from "./message.ts";

/** Some recipients have the message, so it is not sent again, and others never get it. */
export class PartlySent extends Error {}

/**
 * Sends one message through a channel. Secrets are resolved for each message, because a person may change them.
 *
 * @throws PartlySent if only some recipients got it; any other error if none did
 */
export type Send = (app: App, channel: ChannelConfig, message: Message, signal: AbortSignal) => Promise<void>;
