import type { App } from "../app.ts";
import { visibleTo } from "../gateway/tool-snapshot.ts";
import { type McpObject, RpcError } from "../schema/mcp.ts";
import type { ToolRow } from "../schema/tool.ts";
import { type DeclaredHeader, declaredHeaders } from "../upstream/protocol/param-headers.ts";
import { headerMismatch } from "./envelope.ts";
import type { RequestContext } from "./request-context.ts";
import { paramHeadersMismatch } from "./request-headers.ts";

/**
 * Compares a tool's arguments with the headers that repeat them, where its listed schema says so. (2026-07-28)
 *
 * @throws RpcError -32020
 */
export function checkParamHeaders(app: App, turn: RequestContext, id: string, args: McpObject): void {
  const row = app.catalog.get(id);
  // Short lists have no schemas. A demand for a header must not tell that a tool exists which the caller is not shown.
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

// Rows are replaced, never changed.
const declarations = new WeakMap<ToolRow, readonly DeclaredHeader[]>();
