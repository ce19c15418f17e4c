import type { App } from "../../app.ts";
import { inScope } from "../../policy/scope.ts";
import { type Caller, FULL_SCOPE } from "../../schema/caller.ts";
import type { TokenSavings } from "../../schema/token-savings.ts";
import type { ToolRow } from "../../schema/tool.ts";
import { describeRow } from "./describe.ts";

/** Approximate number of characters per token in JSON; the proxy does not have the tokenizers of models. */
const CHARACTERS = 4;

/** Sizes of tools by row; rows are replaced, never changed in place. */
const sizes = new WeakMap<ToolRow, number>();

/**
 * Estimates the tokens that a client saves: the size of all definitions compared with that of a typical search result
 * (reference 1.3).
 */
export function tokenSavings(app: App, caller: Caller): TokenSavings {
  const { mcpServers, tools_limit } = app.config.current();
  const per = new Map<string, number>();
  let tools = 0;
  for (const { name, enabled } of mcpServers) {
    if (!enabled || !inScope(caller.scope, name)) continue;
    const rows = app.catalog.of(name);
    if (rows.length === 0) continue;
    tools += rows.length;
    per.set(
      name,
      rows.reduce((sum, row) => sum + sizeOf(row), 0),
    );
  }
  const total = [...per.values()].reduce((sum, size) => sum + size, 0);
  const answer = tools === 0 ? 0 : Math.round((total / tools) * Math.min(tools, tools_limit));
  const saved = total - answer;
  return {
    total_server_tool_list_size: total,
    average_query_result_size: answer,
    saved_tokens: saved,
    saved_tokens_percentage: total === 0 ? 0 : Math.round((saved / total) * 1000) / 10,
    per_server_tool_list_sizes: Object.fromEntries(per),
  };
}

function sizeOf(row: ToolRow): number {
  let size = sizes.get(row);
  if (size === undefined) {
    size = Math.ceil(JSON.stringify(describeRow(row, FULL_SCOPE)).length / CHARACTERS);
    sizes.set(row, size);
  }
  return size;
}
