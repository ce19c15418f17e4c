import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { ListedServer } from "../../core/schema/registry.ts";
import { askRegistry } from "./ask-registry.ts";
import type { Entry } from "./entry.ts";
import { screenListed } from "./screen.ts";
import { installHost, listedServer } from "./search.ts";
import type { Source } from "./source.ts";
import { sourceOf } from "./sources.ts";

/**
 * Finds one server of a registry. @throws Fault registry_not_found, server_not_found, registry_unavailable,
 * registry_source_unusable
 */
export async function findListedServer(
  app: App,
  registry: string,
  id: string,
  caller: Caller,
  signal: AbortSignal,
): Promise<ListedServer> {
  const source = sourceOf(app, registry);
  const entry = await entryOf(app, source, id, signal);
  return screenListed(listedServer(app, source, entry, await installHost(app), caller), caller);
}

/**
 * Finds the entry with one name. If the registry cannot be reached, the cached entry is used, which names the same
 * version.
 *
 * @throws Fault server_not_found, registry_unavailable, registry_source_unusable
 */
export async function entryOf(app: App, source: Source, id: string, signal: AbortSignal): Promise<Entry> {
  const { known, failure } = await askRegistry(app, source, id, signal);
  const entry = known.entries.get(id);
  if (entry) return entry;
  throw failure ?? new Fault("server_not_found", { server: id });
}
