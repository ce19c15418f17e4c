import { type App, part } from "../app.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import type { ItemRow } from "../schema/item.ts";
import type { ToolRow } from "../schema/tool.ts";

/**
 * Why a tool may not be called or another item not be read, in words for whoever is refused; undefined where nothing is
 * against it. Asked for each tool of a search, so it must be cheap.
 */
export type PolicyFact = (server: ServerConfig, item: ToolRow | ItemRow) => string | undefined;

/** The facts that modules add to every decision whether an item may be seen or used. */
export const policyFacts = part<PolicyFact[]>("policyFacts", (_: App) => []);
