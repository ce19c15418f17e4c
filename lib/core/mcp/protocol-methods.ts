import type { App } from "../app.ts";
import type { MessageText } from "./message-text.ts";
import type { RequestContext } from "./request-context.ts";
import type { ServerInfo } from "./result.ts";
import type { ClientMessage } from "./rpc.ts";
import type { ToolLists } from "./tool-lists.ts";

export type McpRequest = Extract<ClientMessage, { kind: "request" }>;

/**
 * The methods of one protocol family. They return the complete JSON-RPC response, or undefined if the request was
 * cancelled.
 */
export type ProtocolMethods = (
  turn: RequestContext,
  request: McpRequest,
) => Promise<MessageText | undefined> | MessageText;

/** What the methods of every protocol version use. */
export interface ProtocolParts {
  readonly app: App;
  readonly lists: ToolLists;
  readonly info: ServerInfo;
}

/** The capabilities are the same in every mode. */
export const SERVER_CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
};
