import { type App, part } from "../app.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import type { ItemRow } from "../schema/item.ts";
import type { ToolRow } from "../schema/tool.ts";

/**
 * Returns why a tool may not be called or another item not be read, as text for the caller; undefined if it may. Called
 * for every tool of a search, so it must be fast.
 */
export type PolicyFact = (server: ServerConfig, item: ToolRow | ItemRow) => string | undefined;

/** The functions by which modules can forbid that an item is seen or used. */
export const policyFacts = part<PolicyFact[]>("policyFacts", (_: App) => []);
