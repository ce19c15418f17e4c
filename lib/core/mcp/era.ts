import type { App } from "../app.ts";
import type { ToolLists } from "./list.ts";
import type { MessageText } from "./message-text.ts";
import type { ServerInfo } from "./result.ts";
import type { Incoming } from "./rpc.ts";
import type { Turn } from "./turn.ts";

export type Request = Extract<Incoming, { kind: "request" }>;

/** The methods of one protocol era: one request, one whole JSON-RPC response; undefined once it was cancelled. */
export type Answer = (turn: Turn, request: Request) => Promise<MessageText | undefined> | MessageText;

/** What the methods of every protocol version need. */
export interface EraParts {
  readonly app: App;
  readonly lists: ToolLists;
  readonly info: ServerInfo;
}

export const CAPABILITIES = { tools: { listChanged: true } };
