import type { App } from "../app.ts";
import { OUTCOMES_KEY, serverOutcomes } from "../gateway/server-outcomes.ts";
import type { Caller } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";

/**
 * What the first page of a list says in `_meta`: which servers contributed to it, so that a list that lacks a server's
 * entries differs from one that has none.
 */
export async function listMeta(app: App, caller: Caller): Promise<{ readonly meta?: McpObject }> {
  const outcomes = await serverOutcomes(app, caller);
  return outcomes ? { meta: { [OUTCOMES_KEY]: outcomes } } : {};
}

/** The JSON text of a result, or its beginning, with `_meta` in front. */
export function withMeta(raw: string, meta: McpObject | undefined): string {
  return meta ? `{"_meta":${JSON.stringify(meta)},${raw.slice(1)}` : raw;
}
