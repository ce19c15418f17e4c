import type { App } from "../../core/app.ts";
import { expire } from "./cache.ts";
import { sourceOf } from "./sources.ts";

/**
 * Expires the cached responses of a registry. They are still used if a new request fails.
 *
 * @returns the number of expired responses
 * @throws Fault registry_not_found
 */
export async function refresh(app: App, id: string): Promise<number> {
  return await expire(app, sourceOf(app, id));
}
