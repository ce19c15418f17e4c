import type { App } from "../app.ts";
import { type OwnedUri, unmapUri } from "../catalog/uri-map.ts";
import { matchesUriTemplate, templateEffort } from "../catalog/uri-template.ts";
import { visibleItems } from "../gateway/tool-snapshot.ts";
import type { Caller } from "../schema/caller.ts";
import type { ItemRow } from "../schema/item.ts";
import { shownItems, shownName } from "./shown-items.ts";

/** The meaning of a URI that a client sent. */
type FoundUri = FoundResource | AmbiguousUri;

interface FoundResource extends OwnedUri {
  /** True if the client sent the server's original URI; then the response uses original URIs, too. */
  readonly isPlain: boolean;
}

/** The client sent an original URI that several servers have. */
interface AmbiguousUri {
  /** The mapped URIs among which the client has to choose. */
  readonly choices: readonly string[];
}

/**
 * Finds the server that a URI belongs to. A mapped URI names the server. An original URI, copied from a text or the
 * HTML of an app, is accepted if exactly one server that the caller sees lists it or has a matching template. There is
 * no guessing, so that no server receives a read by listing a URI of another.
 *
 * What a server listed before the proxy was started counts until it lists again. The read then waits for the server,
 * and the answer does not depend on which server is connected first.
 */
export async function findResource(app: App, caller: Caller, text: string): Promise<FoundUri | undefined> {
  const mapped = unmapUri(text);
  const sees = visibleItems(app, caller);
  const lists = (server: string, uri: string) => {
    const row = app.catalog.items.get("resource", server, uri);
    return row !== undefined && sees(row);
  };
  if (mapped && lists(mapped.server, mapped.uri)) return { ...mapped, isPlain: false };
  const templates = await knownRows(app, caller, "template");
  const effort = templateEffort();
  const isExpansion = ({ server, uri }: OwnedUri) =>
    templates.some((row) => row.server === server && matchesUriTemplate(row.name, uri, effort));
  if (mapped && isExpansion(mapped)) return { ...mapped, isPlain: false };

  const owners = new Set<string>();
  for (const server of app.catalog.items.servers("resource")) if (lists(server, text)) owners.add(server);
  for (const row of templates) if (matchesUriTemplate(row.name, text, effort)) owners.add(row.server);
  const [owner] = owners;
  if (owner !== undefined && owners.size === 1) return { server: owner, uri: text, isPlain: true };
  if (owners.size > 1)
    return { choices: [...owners].map((server) => shownName({ kind: "resource", server, name: text })) };
  // A server may serve resources that it does not list.
  return mapped && { ...mapped, isPlain: false };
}

/**
 * Finds a prompt or template by the name that clients are listed or, if only one server has such an item, by the name
 * that the server uses. As for resources, what a server listed before the start counts until it lists again; a request
 * for it then waits for the server, or is told what is wrong with the server.
 */
export async function findNamedItem(
  app: App,
  caller: Caller,
  kind: "prompt" | "template",
  text: string,
): Promise<ItemRow | undefined> {
  const { byKey } = await shownItems(app, caller, kind);
  const listed = byKey.get(text);
  if (listed) return listed.row;
  const known = await knownRows(app, caller, kind);
  const remembered = known.find((row) => !row.present && shownName(row) === text);
  if (remembered) return remembered;
  const named = known.filter(({ name }) => name === text);
  return named.length === 1 ? named[0] : undefined;
}

/** Returns the items that the caller sees: those listed now, and those that their server has not listed again yet. */
async function knownRows(app: App, caller: Caller, kind: "prompt" | "template"): Promise<ItemRow[]> {
  const { entries } = await shownItems(app, caller, kind);
  const rows = entries.map(({ row }) => row);
  const sees = visibleItems(app, caller);
  for (const row of app.catalog.items.all(kind)) if (!row.present && sees(row)) rows.push(row);
  return rows;
}
