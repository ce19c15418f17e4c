import type { App } from "../app.ts";
import { type OwnedUri, unmapUri } from "../catalog/uri-map.ts";
import { matchesUriTemplate, templateEffort } from "../catalog/uri-template.ts";
import { visibleItems } from "../gateway/tool-snapshot.ts";
import type { Caller } from "../schema/caller.ts";
import type { ItemRow } from "../schema/item.ts";
import { type ShownItems, shownItems, shownName } from "./shown-items.ts";

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
 */
export async function findResource(app: App, caller: Caller, text: string): Promise<FoundUri | undefined> {
  const mapped = unmapUri(text);
  const templates = await shownItems(app, caller, "template");
  const sees = visibleItems(app, caller);
  const effort = templateEffort();
  const lists = (server: string, uri: string) => {
    const row = app.catalog.items.get("resource", server, uri);
    return row?.present === true && sees(row);
  };
  const serves = ({ server, uri }: OwnedUri) =>
    lists(server, uri) ||
    templates.entries.some(({ row }) => row.server === server && matchesUriTemplate(row.name, uri, effort));
  if (mapped && serves(mapped)) return { ...mapped, isPlain: false };

  const owners = new Set<string>();
  for (const server of app.catalog.items.servers("resource")) if (lists(server, text)) owners.add(server);
  for (const { row } of templates.entries) if (matchesUriTemplate(row.name, text, effort)) owners.add(row.server);
  const [owner] = owners;
  if (owner !== undefined && owners.size === 1) return { server: owner, uri: text, isPlain: true };
  if (owners.size > 1)
    return { choices: [...owners].map((server) => shownName({ kind: "resource", server, name: text })) };
  // A server may serve resources that it does not list.
  return mapped && { ...mapped, isPlain: false };
}

/** Finds a prompt by its listed name or, if only one server has such a prompt, by the name that the server uses. */
export function findPrompt({ entries, byKey }: ShownItems, name: string): ItemRow | undefined {
  return byKey.get(name)?.row ?? onlyNamed(entries, name);
}

/**
 * Finds a prompt or template that its server has not listed since the proxy started, among those of earlier listings.
 * A request for it then waits for the server, or is told what is wrong with the server.
 */
export function findRemembered(
  app: App,
  caller: Caller,
  kind: "prompt" | "template",
  text: string,
): ItemRow | undefined {
  const sees = visibleItems(app, caller);
  for (const row of app.catalog.items.all(kind)) if (!row.present && shownName(row) === text && sees(row)) return row;
  return undefined;
}

/** Finds a resource template by its mapped form or, if only one server has such a template, by its original form. */
export function findTemplate({ entries, byKey }: ShownItems, text: string): ItemRow | undefined {
  return byKey.get(text)?.row ?? onlyNamed(entries, text);
}

function onlyNamed(entries: ShownItems["entries"], name: string): ItemRow | undefined {
  const found = entries.filter(({ row }) => row.name === name);
  return found.length === 1 ? found[0]!.row : undefined;
}
