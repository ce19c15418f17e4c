import type { App } from "../app.ts";
import { matchesUriTemplate, templateEffort } from "../catalog/uri-template.ts";
import type { ItemSnapshot } from "../policy/judge.ts";
import { type ItemRow, itemId } from "../schema/item.ts";
import { itemSnapshot } from "./tool-snapshot.ts";

/**
 * Returns all facts about a resource at this moment. A server may serve resources that it does not list. For such a
 * resource the decision about a matching template applies, otherwise that about the server, unless an administrator
 * must approve each resource (`resource_approval: manual`).
 */
export function resourceSnapshot(app: App, server: string, uri: string): ItemSnapshot<ItemRow> {
  const snapshot = itemSnapshot(app, { kind: "resource", server, name: uri });
  if (!snapshot.server || snapshot.tool) return snapshot;
  const { match, isCertain } = byTemplate(app, server, uri);
  if (match) return match;
  // If the URI could not be compared with all templates, a blocked template might match, so none is used.
  if (!isCertain) return snapshot;
  const isManual = app.config.server(server)?.resource_approval === "manual";
  return isManual ? snapshot : { ...snapshot, tool: unlisted(server, uri) };
}

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
  const compared = app.catalog.items
    .of(server, "template")
    .filter((row) => row.present || row.disabled)
    .map((row) => ({ row, matches: matchesUriTemplate(row.name, uri, effort) }));
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
