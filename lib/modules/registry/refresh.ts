import type { App } from "../../core/app.ts";
import { expire } from "./cache.ts";
import { sourceOf } from "./sources.ts";

/**
 * Lets a registry be asked anew. What it answered before is still there for the case that it cannot be.
 *
 * @returns how many answers count no more
 * @throws Fault registry_not_found
 */
export async function refresh(app: App, id: string): Promise<number> {
  return await expire(app, sourceOf(app, id));
}
