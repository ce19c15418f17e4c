import { RPC } from "../schema/mcp.ts";
import { claims } from "./envelope.ts";
import { arrayText, type MessageText } from "./message-text.ts";
import { errorText, type Incoming, readMessage } from "./rpc.ts";
import type { McpServer } from "./server.ts";
import type { Turn } from "./turn.ts";

/**
 * Takes one parsed message, or a batch where the client's revision has batches, and answers what has to be sent back:
 * undefined when nothing has. The one place where both transports meet the methods.
 */
export function receive(
  server: McpServer,
  message: unknown,
  batches: boolean,
  turnFor: (incoming: Incoming) => Turn,
): Promise<Outcome> {
  if (!Array.isArray(message)) return one(server, readMessage(message), turnFor);
  return batch(server, message, batches, turnFor);
}

async function batch(
  server: McpServer,
  message: readonly unknown[],
  batches: boolean,
  turnFor: (incoming: Incoming) => Turn,
): Promise<Outcome> {
  if (!batches) return refused("only protocol version 2025-03-26 supports batches; send one message at a time");
  if (message.length === 0) return refused("a batch must contain at least one message");
  if (message.length > MAX_BATCH) return refused(`a batch may contain at most ${MAX_BATCH} messages`);
  if (message.some(claims)) return refused("a message of protocol version 2026-07-28 must not be part of a batch");
  const incoming = message.map(readMessage);
  if (incoming.some((m) => m.kind === "request" && m.method === "initialize"))
    return refused("initialize must not be part of a batch");
  const done = await Promise.all(incoming.map((m) => one(server, m, turnFor)));
  const texts = done.flatMap(({ text }) => (text === undefined ? [] : [text]));
  return { text: texts.length === 0 ? undefined : arrayText(texts), asked: done.some((d) => d.asked) };
}

/** What became of a message. */
export interface Outcome {
  /** What to send back. */
  text: MessageText | undefined;
  /** The message was none at all, which HTTP answers with 400. */
  malformed?: true;
  /** Something was asked, so that silence means it was cancelled. */
  asked?: boolean;
}

const MAX_BATCH = 100;

async function one(server: McpServer, incoming: Incoming, turnFor: (incoming: Incoming) => Turn): Promise<Outcome> {
  switch (incoming.kind) {
    case "request":
      return { text: await server.answer(turnFor(incoming), incoming), asked: true };
    case "notification":
      server.hear(turnFor(incoming), incoming.method, incoming.params);
      return { text: undefined };
    case "response":
      return { text: undefined };
    case "invalid":
      return { text: errorText(incoming.id, incoming.error), malformed: true };
  }
}

function refused(reason: string): Outcome {
  return {
    text: errorText(null, { code: RPC.invalidRequest, message: `Invalid Request: ${reason}` }),
    malformed: true,
  };
}
