import type { App } from "../app.ts";
import { OUTCOMES_KEY, serverOutcomes } from "../gateway/server-outcomes.ts";
import type { Caller } from "../schema/caller.ts";
import type { McpObject } from "../schema/mcp.ts";

/**
 * Returns the `_meta` of the first page of a list. It says which servers contributed, so that a missing server can be
 * told from a server without entries.
 */
export async function listMeta(app: App, caller: Caller): Promise<{ readonly meta?: McpObject }> {
  const outcomes = await serverOutcomes(app, caller);
  return outcomes ? { meta: { [OUTCOMES_KEY]: outcomes } } : {};
}

/** Inserts `_meta` at the beginning of the JSON text of a result. */
export function withMeta(raw: string, meta: McpObject | undefined): string {
  return meta ? `{"_meta":${JSON.stringify(meta)},${raw.slice(1)}` : raw;
}
