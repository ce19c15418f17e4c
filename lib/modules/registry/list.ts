import type { App } from "../../core/app.ts";
import { type Caller, INTERNAL_CALLER } from "../../core/schema/caller.ts";
import type { RegistryRecord } from "../../core/schema/registry.ts";
import { maskUrl } from "../../core/secrets/mask/url.ts";
import { askRegistry } from "./ask-registry.ts";
import { cachedEntries } from "./cache.ts";
import type { Source } from "./source.ts";
import { isLocal, sources } from "./sources.ts";

/** The records of all sources (reference 10.1). */
export async function listRegistries(app: App, caller: Caller): Promise<RegistryRecord[]> {
  return await Promise.all(sources(app).map((source) => registryRecord(app, source, caller)));
}

/** The record of one source. */
export async function registryRecord(
  app: App,
  source: Source,
  { tier }: Caller = INTERNAL_CALLER,
): Promise<RegistryRecord> {
  const { id, name, description, url, serversUrl, protocol, tags, requiresKey, provenance } = source;
  // Only administrators may see the path of a file.
  const place = (address: string) => (tier !== "admin" && address.startsWith("file:") ? "file:" : maskUrl(address));
  return {
    id,
    name,
    description,
    url: place(url),
    servers_url: place(serversUrl),
    tags: [...tags],
    protocol,
    count: (await all(app, source)).entries.size,
    ...(requiresKey && { requires_key: true }),
    provenance,
    trusted: provenance === "official",
  };
}

/** The cached entries; for a local source all entries, which costs no request. */
async function all(app: App, source: Source) {
  if (!isLocal(source)) return await cachedEntries(app, source);
  return await askRegistry(app, source, "", new AbortController().signal).then(
    ({ known }) => known,
    () => cachedEntries(app, source),
  );
}
