import type { App } from "../app.ts";
import { visibleTo } from "../gateway/tool-snapshot.ts";
import { type McpObject, RpcError } from "../schema/mcp.ts";
import type { ToolRow } from "../schema/tool.ts";
import { type DeclaredHeader, declaredHeaders } from "../upstream/protocol/param-headers.ts";
import { headerMismatch } from "./envelope.ts";
import type { RequestContext } from "./request-context.ts";
import { paramHeadersMismatch } from "./request-headers.ts";

/**
 * Compares a tool's arguments with the headers that must repeat them according to its listed schema. (2026-07-28)
 *
 * @throws RpcError -32020
 */
export function checkParamHeaders(app: App, turn: RequestContext, id: string, args: McpObject): void {
  const row = app.catalog.get(id);
  // With `deferred`, lists contain no schemas. For a tool that the caller may not see, an error about a header would
  // reveal that the tool exists.
  if (!row || !turn.headers || app.config.current().direct_tool_response_mode === "deferred") return;
  const declared = declaredBy(row);
  if (declared.length === 0 || !visibleTo(app, turn.requester.caller)(row)) return;
  const reason = paramHeadersMismatch(turn.headers, declared, args);
  if (reason === undefined) return;
  turn.status = 400;
  throw new RpcError(headerMismatch(reason).error);
}

function declaredBy(row: ToolRow): readonly DeclaredHeader[] {
  let declared = declarations.get(row);
  if (!declared) {
    declared = declaredHeaders(row.inputSchema);
    declarations.set(row, declared);
  }
  return declared;
}

// Cached by row; rows are replaced, never changed in place.
const declarations = new WeakMap<ToolRow, readonly DeclaredHeader[]>();
