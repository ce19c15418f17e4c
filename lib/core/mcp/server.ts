import type { App } from "../app.ts";
import { type JsonObject, RPC } from "../schema/mcp.ts";
import { claims } from "./envelope.ts";
import type { Answer, Request } from "./era.ts";
import { createEra2025 } from "./era-2025.ts";
import { createEra2026 } from "./era-2026.ts";
import { createInvoke } from "./invoke.ts";
import { createToolLists, type ToolLists } from "./list.ts";
import { arrayText, type MessageText } from "./message-text.ts";
import { errorText, type Incoming, readMessage } from "./rpc.ts";
import type { Sessions } from "./sessions.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import type { Tool } from "./tool.ts";
import type { Turn } from "./turn.ts";

/** MCP, whatever carries the messages. Which protocol version's methods apply is a property of each request. */
export interface McpServer {
  readonly lists: ToolLists;
  readonly subscriptions: Subscriptions;
  /**
   * Takes one parsed message, or a batch, and answers it.
   *
   * @param batches whether the client's protocol version has batches
   * @param turnFor called once for each request and notification
   */
  receive(message: unknown, batches: boolean, turnFor: TurnFor): Promise<Outcome>;
}

type TurnFor = (incoming: Incoming) => Turn;

/** What became of a message. */
export interface Outcome {
  /** What to send back; undefined when there is nothing to send. */
  text: MessageText | undefined;
  /** The message was not valid, which HTTP answers with 400. */
  malformed?: true;
  /** It held a request, so a missing answer means that the request was cancelled. */
  asked?: boolean;
}

const MAX_BATCH = 100;

export function createMcpServer(app: App, tools: readonly Tool[], sessions: Sessions): McpServer {
  const info = { name: "proxy", title: "MCP proxy", version: app.boot.version };
  const lists = createToolLists(app, tools);
  const subscriptions = createSubscriptions(lists.mark, info);
  const invoke = createInvoke(app, tools, info, sessions.stateless);
  const older = createEra2025({ app, lists, info }, sessions);
  const newer = createEra2026({ app, lists, info }, subscriptions);

  /** `tools/call` is the same in every protocol version; all other methods differ. */
  const answer: Answer = (turn: Turn, request: Request) => {
    if (request.method === "tools/call") return invoke(turn, request.id, request.params);
    return turn.envelope ? newer(turn, request) : older(turn, request);
  };

  const receiveOne = async (incoming: Incoming, turnFor: TurnFor): Promise<Outcome> => {
    switch (incoming.kind) {
      case "request":
        return { text: await answer(turnFor(incoming), incoming), asked: true };
      case "notification":
        notice(turnFor(incoming), incoming.method, incoming.params);
        return { text: undefined };
      case "response":
        return { text: undefined };
      case "invalid":
        return { text: errorText(incoming.id, incoming.error), malformed: true };
    }
  };

  const receiveBatch = async (message: readonly unknown[], batches: boolean, turnFor: TurnFor): Promise<Outcome> => {
    if (!batches) return refused("only protocol version 2025-03-26 supports batches; send one message at a time");
    if (message.length === 0) return refused("a batch must contain at least one message");
    if (message.length > MAX_BATCH) return refused(`a batch may contain at most ${MAX_BATCH} messages`);
    if (message.some(claims)) return refused("a message of protocol version 2026-07-28 must not be part of a batch");
    const incoming = message.map(readMessage);
    if (incoming.some((m) => m.kind === "request" && m.method === "initialize"))
      return refused("initialize must not be part of a batch");
    const done = await Promise.all(incoming.map((m) => receiveOne(m, turnFor)));
    const texts = done.flatMap(({ text }) => (text === undefined ? [] : [text]));
    return { text: texts.length === 0 ? undefined : arrayText(texts), asked: done.some((d) => d.asked) };
  };

  return {
    lists,
    subscriptions,
    receive: (message, batches, turnFor) =>
      Array.isArray(message) ? receiveBatch(message, batches, turnFor) : receiveOne(readMessage(message), turnFor),
  };
}

/** Acts on a notification: a cancelled request is aborted, in a session or on a connection without one. */
function notice({ session, running }: Turn, method: string, { requestId }: JsonObject): void {
  if (method !== "notifications/cancelled") return;
  if (typeof requestId !== "string" && typeof requestId !== "number") return;
  for (const requests of [session?.running, running]) requests?.get(requestId)?.abort();
}

function refused(reason: string): Outcome {
  return {
    text: errorText(null, { code: RPC.invalidRequest, message: `Invalid Request: ${reason}` }),
    malformed: true,
  };
}
