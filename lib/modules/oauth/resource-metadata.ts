import * as v from "valibot";
import { type Discovery, document, shown } from "./document.ts";
import { covers, resourceMetadataUrls } from "./well-known.ts";

const words = v.nullish(v.array(v.string()));
const Resource = v.looseObject({
  resource: v.nullish(v.string()),
  authorization_servers: words,
  scopes_supported: words,
});

/** A server's own metadata (RFC 9728), where it has any that is about it. */
export async function resourceMetadata(from: Discovery): Promise<v.InferOutput<typeof Resource> | undefined> {
  const { settings, challenge, name } = from;
  const look = name.details.metadata.protected_resource;
  const named = challenge?.resourceMetadata;
  const urls = [...(named ? [named] : []), ...resourceMetadataUrls(settings.url)];
  for (const url of new Set(urls)) {
    const found = await document(from, url, Resource, look);
    if (!found) continue;
    if (found.resource && !covers(found.resource, settings.url)) {
      look.error = `${shown(url)} describes another server (${shown(found.resource)})`;
      continue;
    }
    look.found = true;
    delete look.error;
    if (found.authorization_servers) look.authorization_servers = found.authorization_servers.slice(0, 10).map(shown);
    return found.authorization_servers?.length ? found : { ...found, authorization_servers: undefined };
  }
  return undefined;
}
