import { LRUCache } from "lru-cache";
import { type App, part } from "../app.ts";
import { looseUri, parsedUri, withoutQuery } from "../catalog/loose-uri.ts";
import { matchesUriTemplate, templateEffort } from "../catalog/uri-template.ts";
import type { ItemSnapshot } from "../policy/judge.ts";
import { type ItemRow, itemId } from "../schema/item.ts";
import { itemSnapshot } from "./tool-snapshot.ts";

/**
 * Returns all facts about a resource at this moment. A server may serve resources that it does not list. If the URI may
 * be another spelling of a resource that is blocked or waits, this decision applies; otherwise that about a matching
 * template, and otherwise that about the server, unless an administrator must approve each resource
 * (`resource_approval: manual`).
 */
export function resourceSnapshot(app: App, server: string, uri: string): ItemSnapshot<ItemRow> {
  const snapshot = itemSnapshot(app, { kind: "resource", server, name: uri });
  if (!snapshot.server || snapshot.tool) return snapshot;
  const hidden = hiddenBySpelling(app, server, uri);
  if (hidden) return hidden;
  const { match, isCertain } = byTemplate(app, server, uri);
  if (match) return match;
  // If the URI could not be compared with all templates, a blocked template might match, so none is used.
  if (!isCertain) return snapshot;
  const isManual = app.config.server(server)?.resource_approval === "manual";
  return isManual ? snapshot : { ...snapshot, tool: unlisted(server, uri) };
}

/**
 * Finds a resource that may not be read and that the server may take this URI for: one that an administrator blocked has
 * precedence. A resource that was listed without a query decides about all its queries.
 */
function hiddenBySpelling(app: App, server: string, uri: string): ItemSnapshot<ItemRow> | undefined {
  const hidden = app.catalog.items
    .of(server, "resource")
    .filter(({ present, disabled, status }) => disabled || (present && status !== "approved"));
  if (hidden.length === 0) return undefined;
  const loose = looseUri(uri);
  const spellings = new Set([loose, withoutQuery(loose)]);
  const meant = hidden.filter(({ name }) => spellings.has(app.part(looseUris)(name)));
  const row = meant.find(({ disabled }) => disabled) ?? meant[0];
  return row && itemSnapshot(app, { kind: "resource", server, name: row.name });
}

/** Remembers the loose forms of listed URIs. */
const looseUris = part("looseUris", () => {
  const known = new LRUCache<string, string>({ max: MAX_LOOSE_URIS });
  return (uri: string): string => {
    const loose = known.get(uri) ?? looseUri(uri);
    known.set(uri, loose);
    return loose;
  };
});

const MAX_LOOSE_URIS = 20_000;

interface TemplateMatch {
  /** The template whose decision applies; undefined if no template matches the URI. */
  readonly match?: ItemSnapshot<ItemRow> | undefined;
  /** True if the URI was compared with every template. */
  readonly isCertain: boolean;
}

/**
 * Finds the template whose decision applies to a URI that may match several. A template that an administrator blocked
 * has precedence, even if the server no longer lists it; then an approved one.
 */
function byTemplate(app: App, server: string, uri: string): TemplateMatch {
  const effort = templateEffort();
  const spellings = [...new Set([uri, parsedUri(uri)])];
  const compared = app.catalog.items
    .of(server, "template")
    .filter((row) => row.present || row.disabled)
    .map((row) => ({ row, matches: matchesAny(row.name, spellings, effort) }));
  const matches = compared
    .filter((one) => one.matches)
    .map(({ row }) => itemSnapshot(app, { kind: "template", server, name: row.name }));
  const isApproved = ({ tool, violation }: ItemSnapshot<ItemRow>) =>
    tool?.status === "approved" && violation === undefined;
  return {
    match: matches.find(({ tool }) => tool?.disabled) ?? matches.find(isApproved) ?? matches[0],
    isCertain: compared.every((one) => one.matches !== undefined),
  };
}

function matchesAny(
  template: string,
  uris: readonly string[],
  effort: ReturnType<typeof templateEffort>,
): boolean | undefined {
  const results = uris.map((uri) => matchesUriTemplate(template, uri, effort));
  return results.includes(true) || (results.includes(undefined) ? undefined : false);
}

function unlisted(server: string, name: string): ItemRow {
  return {
    kind: "resource",
    id: itemId("resource", server, name),
    server,
    name,
    definition: {},
    hash: "",
    status: "approved",
    recorded: true,
    disabled: false,
    present: true,
    annotations: { readOnlyHint: true },
  };
}
