import type { App } from "../app.ts";
import { type OwnedUri, unmapUri } from "../catalog/uri-map.ts";
import { matchesUriTemplate, templateEffort } from "../catalog/uri-template.ts";
import { visibleItems } from "../gateway/tool-snapshot.ts";
import type { Caller } from "../schema/caller.ts";
import type { ItemRow } from "../schema/item.ts";
import { type ShownItems, shownItems, shownName } from "./shown-items.ts";

/** What a URI that a client sent means. */
type FoundUri = FoundResource | AmbiguousUri;

interface FoundResource extends OwnedUri {
  /** The client wrote the server's own URI, so the answer is in that spelling. */
  readonly isPlain: boolean;
}

/** Several servers own the plain URI. */
interface AmbiguousUri {
  /** The mapped forms, of which the client has to choose one. */
  readonly choices: readonly string[];
}

/**
 * The server that a URI leads to. A mapped one names it. A plain one, copied from a text or the HTML of an app, counts
 * where exactly one server that the caller sees lists it or has a template for it; there is no guessing, so no server gets
 * a read by claiming the URI of another.
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
  // Servers may serve what they list nowhere.
  return mapped && { ...mapped, isPlain: false };
}

/** The prompt of a name; as its server writes it, where one server alone has it. */
export function findPrompt({ entries, byKey }: ShownItems, name: string): ItemRow | undefined {
  return byKey.get(name)?.row ?? onlyNamed(entries, name);
}

/** The resource template that is written so, mapped or, where one server alone has it, plain. */
export function findTemplate({ entries, byKey }: ShownItems, text: string): ItemRow | undefined {
  return byKey.get(text)?.row ?? onlyNamed(entries, text);
}

function onlyNamed(entries: ShownItems["entries"], name: string): ItemRow | undefined {
  const found = entries.filter(({ row }) => row.name === name);
  return found.length === 1 ? found[0]!.row : undefined;
}
