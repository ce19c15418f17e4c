import type { App } from "../app.ts";
import type { JsonObject } from "../base/merge.ts";
import { revertConfigEchoes } from "../redact/echo-config.ts";
import type { Actor } from "../shape/caller.ts";
import { type Change, change } from "./change.ts";

/**
 * Replaces the whole configuration document; what it leaves out has its default from then on (spec 000 §4.6).
 *
 * @param expected marks of which the present document must have one; absent: any
 * @throws Fault as `change`
 */
export async function apply(
  app: App,
  document: JsonObject,
  by: Actor,
  expected?: readonly string[] | undefined,
): Promise<Change> {
  const edit = (stored: JsonObject) => revertConfigEchoes(stored, document);
  return await change(app, { action: "apply", expected, asked: Object.keys(document), edit }, by);
}
