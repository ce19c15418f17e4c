import type { App } from "../app.ts";
import { traffic } from "../extension/traffic.ts";
import { resourceSubscriptions } from "../gateway/resource-subscriptions.ts";
import { type McpObject, RPC } from "../schema/mcp.ts";
import { claimsEnvelope } from "./envelope.ts";
import { createInvoke } from "./invoke.ts";
import { createItemMethods } from "./item-methods.ts";
import { createListenForTasks } from "./listened-tasks.ts";
import { arrayText, type MessageText } from "./message-text.ts";
import { observeRequests } from "./observe-requests.ts";
import { createProtocol2025 } from "./protocol-2025.ts";
import { createProtocol2026 } from "./protocol-2026.ts";
import type { McpRequest, ProtocolMethods } from "./protocol-methods.ts";
import { createQuestionRouter, type QuestionRouter } from "./question-router.ts";
import type { RequestContext } from "./request-context.ts";
import { type ClientMessage, readClientMessage, rpcErrorText } from "./rpc.ts";
import { sessionRelay } from "./session-relay.ts";
import type { McpSessions } from "./sessions.ts";
import { subscribeResource } from "./subscribe-resource.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";
import { createTaskMethods } from "./task-methods.ts";
import type { Tool } from "./tool.ts";
import { createToolLists, type ToolLists } from "./tool-lists.ts";

/** Handles MCP messages of any transport. The protocol version is determined for each request. */
export interface McpServer {
  readonly lists: ToolLists;
  readonly subscriptions: Subscriptions;
  readonly endHeld: QuestionRouter["endHeld"];
  /**
   * Handles one parsed message, or a batch.
   *
   * @param batches whether the client's protocol version has batches
   * @param turnFor makes the request context; called once for each request and notification
   */
  receive(message: unknown, batches: boolean, turnFor: TurnFor): ReceiveOutcome | Promise<ReceiveOutcome>;
}

type TurnFor = (incoming: ClientMessage) => RequestContext;

/**
 * The outcome of handling a message: the response, or undefined if there is none. It is no object, because one for each
 * request, and a promise for it, would be part of the cost of a call.
 */
export type ReceiveOutcome = MessageText | MalformedMessage | undefined;

/** A message that was not valid, which HTTP answers with status 400. */
interface MalformedMessage {
  /** The error response. */
  readonly errorText: string;
}

/** Returns the text of a response; undefined if there is none. */
export function responseText(outcome: ReceiveOutcome): MessageText | undefined {
  return isMalformed(outcome) ? outcome.errorText : outcome;
}

export function isMalformed(outcome: ReceiveOutcome): outcome is MalformedMessage {
  return typeof outcome === "object" && "errorText" in outcome;
}

const MAX_BATCH = 100;

export function createMcpServer(app: App, tools: readonly Tool[], sessions: McpSessions): McpServer {
  const info = { name: "proxy", title: "MCP proxy", version: app.boot.version };
  const lists = createToolLists(app, tools);
  const resources = app.part(resourceSubscriptions);
  const { stateless } = sessions;
  const subscriptions = createSubscriptions({
    clock: app.clock,
    info,
    mark: lists.mark,
    subscribe: (client, uri, signal) => subscribeResource(app, client, uri, signal),
    unsubscribe: resources.unsubscribe,
    left: resources.end,
    listenForTasks: createListenForTasks(app, stateless),
  });
  const questions = createQuestionRouter(app, info);
  const invoke = createInvoke({ app, tools, info, stateless, questions });
  const items = createItemMethods({ app, info, stateless, questions });
  const tasks = createTaskMethods({ app, stateless, questions });
  const older = createProtocol2025({ app, lists, info }, sessions);
  const newer = createProtocol2026({ app, lists, info }, subscriptions);

  /** Calls and methods about prompts and resources are the same in all protocol versions; all other methods differ. */
  const answerRequest: ProtocolMethods = (turn: RequestContext, request: McpRequest) => {
    if (request.method === "tools/call") return invoke(turn, request.id, request.params);
    return (
      items(turn, request) ?? tasks(turn, request) ?? (turn.envelope ? newer(turn, request) : older(turn, request))
    );
  };
  let answer = answerRequest;
  app.part(traffic).onObserved((isObserved) => {
    answer = isObserved ? observeRequests(app, answerRequest) : answerRequest;
  });

  const receiveOne = (incoming: ClientMessage, turnFor: TurnFor): ReceiveOutcome | Promise<ReceiveOutcome> => {
    switch (incoming.kind) {
      case "request":
        return answer(turnFor(incoming), incoming);
      case "notification":
        notice(app, turnFor(incoming), incoming);
        return undefined;
      case "response": {
        const { id, said } = incoming;
        // The id of a question is looked up in the session that was asked, so no other client can answer it.
        const session = id !== null && turnFor(incoming).session;
        if (session && !session.questions.answer(id, said)) app.part(sessionRelay)?.answer(session, id, said);
        return undefined;
      }
      case "invalid":
        return { errorText: rpcErrorText(incoming.id, incoming.error) };
    }
  };

  const receiveBatch = async (
    message: readonly unknown[],
    batches: boolean,
    turnFor: TurnFor,
  ): Promise<ReceiveOutcome> => {
    if (!batches) return refused("only protocol version 2025-03-26 supports batches; send one message at a time");
    if (message.length === 0) return refused("a batch must contain at least one message");
    if (message.length > MAX_BATCH) return refused(`a batch may contain at most ${MAX_BATCH} messages`);
    if (message.some(claimsEnvelope))
      return refused("a message of protocol version 2026-07-28 must not be part of a batch");
    const incoming = message.map(readClientMessage);
    if (incoming.some((m) => m.kind === "request" && m.method === "initialize"))
      return refused("initialize must not be part of a batch");
    const done = await Promise.all(incoming.map(async (m) => receiveOne(m, turnFor)));
    const texts = done.map(responseText).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : arrayText(texts);
  };

  return {
    lists,
    subscriptions,
    endHeld: questions.endHeld,
    receive: (message, batches, turnFor) =>
      Array.isArray(message)
        ? receiveBatch(message, batches, turnFor)
        : receiveOne(readClientMessage(message), turnFor),
  };
}

/** Handles a notification: `notifications/cancelled` aborts a request of the session or connection. */
function notice(
  app: Pick<App, "part">,
  { session, running }: RequestContext,
  { method, params: { requestId } }: { method: string; params: McpObject },
): void {
  if (method !== "notifications/cancelled") return;
  if (typeof requestId !== "string" && typeof requestId !== "number") return;
  const found = [session?.running, running].flatMap((requests) => requests?.get(requestId) ?? []);
  for (const request of found) request.abort();
  if (session && found.length === 0) app.part(sessionRelay)?.cancel(session, requestId);
}

function refused(reason: string): ReceiveOutcome {
  return { errorText: rpcErrorText(null, { code: RPC.invalidRequest, message: `Invalid Request: ${reason}` }) };
}
