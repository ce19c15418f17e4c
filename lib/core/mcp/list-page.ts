import { RpcError, type RpcId } from "../schema/mcp.ts";
import type { ToolLists, ToolPage } from "./list.ts";
import type { MessageText } from "./message-text.ts";
import { errorText } from "./rpc.ts";
import type { Turn } from "./turn.ts";

/**
 * The method `tools/list`: one page as `write` has it for the protocol version, or what is wrong with the cursor.
 *
 * @returns undefined once it was cancelled
 */
export async function listPage(
  lists: ToolLists,
  { mode, who, abort }: Turn,
  id: RpcId,
  cursor: unknown,
  write: (page: ToolPage) => MessageText,
): Promise<MessageText | undefined> {
  try {
    return write(await lists.page(mode, who.caller, cursor, abort.signal));
  } catch (error) {
    if (abort.signal.aborted) return undefined;
    if (error instanceof RpcError) return errorText(id, { code: error.code, message: error.message });
    throw error;
  }
}
