import type { App } from "../app.ts";
import { matchesUriTemplate } from "../catalog/uri-template.ts";
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
  const template = byTemplate(app, server, uri);
  if (template) return template;
  const isManual = app.config.server(server)?.resource_approval === "manual";
  return isManual ? known : { ...known, tool: unlisted(server, uri) };
}

/** Of the server's templates that a URI may be an expansion of, the one that is most likely to be usable. */
function byTemplate(app: App, server: string, uri: string): ItemSnapshot<ItemRow> | undefined {
  const matches = app.catalog.items
    .of(server, "template")
    .filter((row) => row.present && matchesUriTemplate(row.name, uri))
    .map(({ name }) => itemSnapshot(app, { kind: "template", server, name }));
  const isOpen = ({ tool, violation }: ItemSnapshot<ItemRow>) => tool?.disabled === false && violation === undefined;
  return matches.find((one) => isOpen(one) && one.tool?.status === "approved") ?? matches.find(isOpen) ?? matches[0];
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
