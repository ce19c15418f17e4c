import { matchesUriTemplate } from "../../catalog/uri-template.ts";
import type { ItemSnapshot, ToolSnapshot } from "../../policy/judge.ts";
import { type ItemRow, itemId } from "../../schema/item.ts";
import { itemSnapshot, toolSnapshot } from "../tool-snapshot.ts";
import type { GatewayCall } from "./stage.ts";

/** Everything known about what a call is about, at this moment. */
export function snapshotOf(call: GatewayCall): ToolSnapshot | ItemSnapshot<ItemRow> {
  const { app, server, tool: name, item, request } = call;
  if (!item) return toolSnapshot(app, request.id);
  const known = itemSnapshot(app, { kind: item.kind, server, name });
  // Servers may serve resources that they do not list: the decision about a matching template applies, else the
  // decision about the server, unless an administrator has to approve each resource.
  if (item.kind !== "resource" || !known.server || known.tool) return known;
  const template = byTemplate(call);
  if (template) return template;
  const isManual = app.config.server(server)?.resource_approval === "manual";
  return isManual ? known : { ...known, tool: unlisted(server, name) };
}

/** Of the server's templates that a URI may be an expansion of, the one that is most likely to be usable. */
function byTemplate({ app, server, tool: uri }: GatewayCall): ItemSnapshot<ItemRow> | undefined {
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
