import type { App } from "../app.ts";
import { matchesUriTemplate, templateEffort } from "../catalog/uri-template.ts";
import type { ItemSnapshot } from "../policy/judge.ts";
import { type ItemRow, itemId } from "../schema/item.ts";
import { itemSnapshot } from "./tool-snapshot.ts";

/**
 * Everything known about a resource at this moment. Servers may serve resources that they do not list: then the decision
 * about a matching template applies, else the decision about the server, unless an administrator has to approve each resource.
 */
export function resourceSnapshot(app: App, server: string, uri: string): ItemSnapshot<ItemRow> {
  const known = itemSnapshot(app, { kind: "resource", server, name: uri });
  if (!known.server || known.tool) return known;
  const { match, isCertain } = byTemplate(app, server, uri);
  if (match) return match;
  // A URI that could not be compared must not pass by a template that is blocked.
  if (!isCertain) return known;
  const isManual = app.config.server(server)?.resource_approval === "manual";
  return isManual ? known : { ...known, tool: unlisted(server, uri) };
}

interface TemplateMatch {
  /** The template whose decision applies; undefined if the URI is an expansion of none. */
  readonly match?: ItemSnapshot<ItemRow> | undefined;
  /** Whether the URI was compared with every template. */
  readonly isCertain: boolean;
}

/**
 * A URI may be an expansion of several templates. A template that an administrator blocked decides first, even if the
 * server lists it no longer; then an approved one.
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
