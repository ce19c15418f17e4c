import type { App } from "../app.ts";
import { type JsonObject, mergePatch } from "../base/merge.ts";
import { revertConfigEchoes } from "../redact/echo-config.ts";
import type { Actor } from "../shape/caller.ts";
import { type Change, change } from "./change.ts";

/**
 * Changes parts of the configuration document: objects merge at every depth, lists and scalars replace, null deletes
 * (RFC 7396; spec 000 §4.6).
 *
 * @param expected marks of which the present document must have one; absent: any
 * @throws Fault as `change`
 */
export async function patch(
  app: App,
  changes: JsonObject,
  by: Actor,
  expected?: readonly string[] | undefined,
): Promise<Change> {
  const edit = (stored: JsonObject) => mergePatch(stored, revertConfigEchoes(stored, changes)) as JsonObject;
  return await change(app, { action: "patch", expected, asked: Object.keys(changes), edit }, by);
}
