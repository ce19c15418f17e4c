import * as v from "valibot";
import { type Discovery, displayUrl, document } from "./document.ts";
import type { MetadataCheck } from "./metadata-check.ts";
import { metadataApplies, resourceMetadataUrls } from "./well-known.ts";

const words = v.nullish(v.array(v.string()));
const Resource = v.looseObject({
  resource: v.nullish(v.string()),
  authorization_servers: words,
  scopes_supported: words,
});

/** The metadata of a server itself (RFC 9728); undefined if it has none, or only that of another server. */
export async function resourceMetadata(
  from: Discovery,
  check: MetadataCheck,
): Promise<v.InferOutput<typeof Resource> | undefined> {
  const { settings, challenge, name } = from;
  const named = challenge?.resourceMetadata;
  const urls = [...(named ? [named] : []), ...resourceMetadataUrls(settings.url)];
  for (const url of new Set(urls)) {
    const found = await document(from, url, Resource, check);
    if (!found) continue;
    if (found.resource && !metadataApplies(found.resource, settings.url)) {
      check.report("unusable", `${displayUrl(url)} describes another server (${displayUrl(found.resource)})`);
      continue;
    }
    check.found();
    if (found.authorization_servers)
      name.details.metadata.protected_resource.authorization_servers = found.authorization_servers
        .slice(0, 10)
        .map(displayUrl);
    return found.authorization_servers?.length ? found : { ...found, authorization_servers: undefined };
  }
  return undefined;
}
