import type { App } from "../app.ts";
import { type JsonObject, mergePatch } from "../base/merge.ts";
import { revertConfigEchoes } from "../redact/echo-config.ts";
import type { Actor } from "../shape/caller.ts";
import { type Change, change } from "./change.ts";

/**
 * What a document means. `apply`: it is the configuration from now on, and what it leaves out has its default. `patch`:
 * objects merge into what is there at every depth, lists and scalars replace, null deletes (RFC 7396).
 */
export type Manner = "apply" | "patch";

/**
 * Makes a document that somebody sent the configuration, or a part of it (spec 000 §4.6). Masks that come back mean what
 * is stored.
 *
 * @param expected marks of which the present document must have one; absent: any
 * @throws Fault as `change`
 */
export async function write(
  app: App,
  manner: Manner,
  document: JsonObject,
  by: Actor,
  expected?: readonly string[] | undefined,
): Promise<Change> {
  const edit = (stored: JsonObject) => {
    const meant = revertConfigEchoes(stored, document);
    return manner === "apply" ? meant : (mergePatch(stored, meant) as JsonObject);
  };
  return await change(app, { action: manner, expected, asked: Object.keys(document), edit }, by);
}
