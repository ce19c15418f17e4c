import { isJsonObject } from "../base/json-object.ts";
import { logLevels } from "../gateway/log-levels.ts";
import { isMessageLevel, MESSAGE_LEVELS } from "../schema/log-message.ts";
import { type McpObject, REVISIONS_2025, type RpcId } from "../schema/mcp.ts";
import { appSettings } from "./app-host.ts";
import { clientFrom } from "./envelope.ts";
import { forwardedCapabilities } from "./input-required.ts";
import { instructionsFor } from "./instructions.ts";
import { withMeta } from "./list-meta.ts";
import { listPage } from "./list-page.ts";
import type { MessageText } from "./message-text.ts";
import { offersTasks } from "./offers-tasks.ts";
import { type ProtocolMethods, type ProtocolParts, SERVER_CAPABILITIES } from "./protocol-methods.ts";
import type { RequestContext } from "./request-context.ts";
import { invalidParams, methodNotFound, rpcErrorText, rpcResultPieces, rpcResultText } from "./rpc.ts";
import { sessionResources } from "./session-resources.ts";
import type { McpSession, McpSessions } from "./sessions.ts";

/** Protocol versions 2024-11-05 to 2025-11-25, with `initialize` and, if the client wants one, a session. */
export function createProtocol2025({ app, lists, info }: ProtocolParts, sessions: McpSessions): ProtocolMethods {
  /** Tasks exist only in 2025-11-25, and only tools listed by name can be called as tasks. */
  const capabilitiesFor = ({ mode, requester }: RequestContext, revision: string) => {
    const hasTasks = mode === "direct" && revision === REVISIONS_2025[0] && offersTasks(app, requester.caller, "2025");
    return { ...SERVER_CAPABILITIES, ...(hasTasks && { tasks: TASKS }) };
  };

  const initialize = (
    turn: RequestContext,
    id: RpcId,
    { protocolVersion, clientInfo, capabilities }: McpObject,
  ): string | Promise<string> => {
    if (typeof protocolVersion !== "string")
      return rpcErrorText(id, invalidParams("protocolVersion must be a string such as 2025-11-25"));
    // For an unsupported version the proxy offers the newest of this family, and the client decides whether to
    // continue.
    const revision = REVISIONS_2025.find((r) => r === protocolVersion) ?? REVISIONS_2025[0];
    const opening = sessions.openShared({
      mode: turn.mode,
      caller: turn.requester.caller,
      revision,
      capabilities: isJsonObject(capabilities) ? forwardedCapabilities(capabilities) : {},
      isAppHost: isJsonObject(capabilities) && appSettings(capabilities) !== undefined,
      client: clientFrom(clientInfo) ?? { name: "", version: "" },
      ...(turn.requester.clientIp !== undefined && { clientIp: turn.requester.clientIp }),
    });
    const answer = (session: McpSession) => {
      turn.session = session;
      const result = {
        protocolVersion: revision,
        capabilities: capabilitiesFor(turn, revision),
        serverInfo: info,
        instructions: instructionsFor(app, turn.mode, turn.requester.caller),
      };
      return rpcResultText(id, JSON.stringify(result));
    };
    return opening instanceof Promise ? opening.then(answer) : answer(opening);
  };

  const setLevel = ({ session }: RequestContext, id: RpcId, { level }: McpObject): string => {
    if (!isMessageLevel(level))
      return rpcErrorText(id, invalidParams(`level must be one of ${MESSAGE_LEVELS.join(", ")}`));
    // Without a session the level cannot be stored, but the messages of each call are sent in any case.
    if (session) {
      session.logLevel = level;
      app.part(logLevels).set(session, level);
    }
    return rpcResultText(id, "{}");
  };

  const list = (turn: RequestContext, id: RpcId, { cursor }: McpObject): Promise<MessageText | undefined> =>
    listPage(lists, turn, id, cursor, ({ pieces: [first = "", ...rest], tag, meta }) => {
      if (turn.session) turn.session.knownTag = tag;
      return rpcResultPieces(id, [withMeta(first, meta), ...rest]);
    });

  return (turn, { id, method, params }) => {
    switch (method) {
      case "tools/list":
        return list(turn, id, params);
      case "ping":
        return rpcResultText(id, "{}");
      case "resources/subscribe":
      case "resources/unsubscribe":
        return sessionResources(app, turn, { kind: "request", id, method, params });
      case "logging/setLevel":
        return setLevel(turn, id, params);
      case "initialize":
        return initialize(turn, id, params);
      default:
        return methodNotFound(id, method);
    }
  };
}

const TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
