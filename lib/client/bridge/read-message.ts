import { isJsonObject } from "../../core/base/json-object.ts";
import { type McpObject, META_PREFIX, REVISION_2026, type RpcId } from "../../core/schema/mcp.ts";

/** The properties of a message that a bridge needs to send it. */
export type BridgeMessage = {
  /** The original text, which is sent unchanged. */
  readonly text: string;
  /** Ids of the requests in it: one, or several for a batch. */
  readonly ids: readonly RpcId[];
  /** Absent for a response and for a batch. */
  readonly method?: string;
  readonly params: McpObject;
  /** Protocol version 2026-07-28: no session, and headers that repeat the body. */
  readonly isStateless: boolean;
};

/** @throws SyntaxError if the text is not JSON */
export function readMessage(text: string): BridgeMessage {
  const value: unknown = JSON.parse(text);
  const all = Array.isArray(value) ? value : [value];
  const ids = all.flatMap((one) =>
    isJsonObject(one) && typeof one.method === "string" && isId(one.id) ? [one.id] : [],
  );
  if (!isJsonObject(value)) return { text, ids, params: {}, isStateless: false };
  const params = isJsonObject(value.params) ? value.params : {};
  const meta = isJsonObject(params._meta) ? params._meta : {};
  return {
    text,
    ids,
    ...(typeof value.method === "string" && { method: value.method }),
    params,
    isStateless: meta[`${META_PREFIX}protocolVersion`] === REVISION_2026,
  };
}

/**
 * Whether a message is the response to a request. The proxy writes its own messages in a fixed form, which saves parsing
 * a large result a second time.
 */
export function isResponseTo(text: string, id: RpcId): boolean {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  if (text.startsWith(`${head}"result":`) || text.startsWith(`${head}"error":`)) return true;
  if (text.startsWith('{"jsonrpc":"2.0","method":')) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && value.id === id && value.method === undefined;
  } catch {
    return false;
  }
}

function isId(id: unknown): id is RpcId {
  return typeof id === "string" || typeof id === "number";
}
