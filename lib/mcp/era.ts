import type { App } from "../app.ts";
import type { RpcId } from "../shape/mcp.ts";
import type { Invoke } from "./invoke.ts";
import type { ToolLists } from "./list.ts";
import type { ServerInfo } from "./result.ts";
import { errorText, type Incoming, invalidParams } from "./rpc.ts";
import type { Turn } from "./turn.ts";

export type Request = Extract<Incoming, { kind: "request" }>;

/** The methods of one protocol era: one request, one whole JSON-RPC response; undefined once it was cancelled. */
export type Answer = (turn: Turn, request: Request) => Promise<string | undefined> | string;

/** What the eras have in common: the same tools, found and called by the same rules. */
export interface EraParts {
  readonly app: App;
  readonly lists: ToolLists;
  readonly invoke: Invoke;
  readonly info: ServerInfo;
}

export const CAPABILITIES = { tools: { listChanged: true } };

/** A list has one page. */
export function paged(id: RpcId): string {
  return errorText(id, invalidParams("cursor is not one of ours: the list has one page"));
}
