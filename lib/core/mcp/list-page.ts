import { RpcError, type RpcId } from "../schema/mcp.ts";
import { isAppHost } from "./app-host.ts";
import type { MessageText } from "./message-text.ts";
import type { RequestContext } from "./request-context.ts";
import { rpcErrorText } from "./rpc.ts";
import type { ToolLists, ToolPage } from "./tool-lists.ts";

/**
 * Answers `tools/list`: one page in the form that `write` gives it, or an error about the cursor.
 *
 * @returns undefined if the request was cancelled
 */
export async function listPage(
  lists: ToolLists,
  turn: RequestContext,
  id: RpcId,
  cursor: unknown,
  write: (page: ToolPage) => MessageText,
): Promise<MessageText | undefined> {
  const { mode, requester, abort } = turn;
  try {
    const audience = { mode, caller: requester.caller, isAppHost: isAppHost(turn), isOlder: !turn.envelope };
    return write(await lists.page(audience, cursor, abort.signal));
  } catch (error) {
    if (abort.signal.aborted) return undefined;
    if (error instanceof RpcError) return rpcErrorText(id, { code: error.code, message: error.message });
    throw error;
  }
}
