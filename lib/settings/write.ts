import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { type JsonObject, mergePatch } from "../base/merge.ts";
import { checkConfig } from "../config/check.ts";
import { revertConfigEchoes } from "../redact/echo-config.ts";
import type { Actor } from "../shape/caller.ts";
import { type Change, change } from "./change.ts";

/**
 * What a document means. `apply`: it is the configuration from now on, and what it leaves out has its default. `patch`:
 * objects merge into what is there at every depth, lists and scalars replace, null deletes (RFC 7396).
 */
export type Manner = "apply" | "patch";

export interface WriteOptions {
  /** Marks of which the present document must have one; absent: any. */
  readonly expected?: readonly string[] | undefined;
  /** `apply` may drop the administrator's key and all servers. */
  readonly confirmed?: boolean;
}

/**
 * Makes a document that somebody sent the configuration, or a part of it (spec 000 §4.6). Masks that come back mean what
 * is stored.
 *
 * @throws Fault confirmation_required; and as `change`
 */
export async function write(
  app: App,
  manner: Manner,
  document: JsonObject,
  by: Actor,
  { expected, confirmed }: WriteOptions = {},
): Promise<Change> {
  const edit = (stored: JsonObject) => {
    const meant = revertConfigEchoes(stored, document);
    if (manner === "patch") return mergePatch(stored, meant) as JsonObject;
    // What is wrong with a document is reported first, by the update.
    if (!confirmed && checkConfig(meant).ok) refuseLoss(stored, meant);
    return meant;
  };
  return await change(app, { action: manner, expected, asked: Object.keys(document), edit }, by);
}

/** A whole document without the key or without any server is more often a mistake, such as `{}`, than meant. */
function refuseLoss(stored: JsonObject, next: JsonObject): void {
  const has = (document: JsonObject, key: string) => (document[key] as { length?: number } | null | undefined)?.length;
  const lost = [
    ...(has(stored, "api_key") && !has(next, "api_key") ? ["the administrator's key (api_key)"] : []),
    ...(has(stored, "mcpServers") && !has(next, "mcpServers") ? [`all ${has(stored, "mcpServers")} server(s)`] : []),
  ];
  if (lost.length > 0)
    throw new Fault("confirmation_required", { reason: `this configuration drops ${lost.join(" and ")}` });
}
