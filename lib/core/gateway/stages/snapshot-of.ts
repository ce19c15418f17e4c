import type { ItemSnapshot, ToolSnapshot } from "../../policy/judge.ts";
import type { ItemRow } from "../../schema/item.ts";
import { resourceSnapshot } from "../resource-snapshot.ts";
import { itemSnapshot, toolSnapshot } from "../tool-snapshot.ts";
import type { GatewayCall } from "./stage.ts";

/** Returns all facts about the item of a call at this moment. */
export function snapshotOf(call: GatewayCall): ToolSnapshot | ItemSnapshot<ItemRow> {
  const { app, server, tool: name, item, request } = call;
  if (!item) return toolSnapshot(app, request.id);
  return item.kind === "resource"
    ? resourceSnapshot(app, server, name)
    : itemSnapshot(app, { kind: item.kind, server, name });
}
