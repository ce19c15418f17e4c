import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { type ResourceSubscriber, resourceSubscriptions } from "../gateway/resource-subscriptions.ts";
import { RpcError } from "../schema/mcp.ts";
import { findResource } from "./find-resource.ts";
import { invalidParams } from "./rpc.ts";

/** Longest URI that is looked up. (characters) */
const MAX_URI = 8192;

/**
 * Subscribes a client to a resource by the URI that the client wrote, mapped or plain.
 *
 * @throws Fault item_not_found and what `resourceSubscriptions` throws; RpcError
 */
export async function subscribeResource(
  app: App,
  client: ResourceSubscriber,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const found = name.length <= MAX_URI ? await findResource(app, client.caller, name) : undefined;
  if (!found) throw new Fault("item_not_found", { noun: "resource", name: name.slice(0, MAX_URI) });
  if ("choices" in found)
    throw new RpcError(invalidParams(`several servers have this resource; use one of ${found.choices.join(", ")}`));
  const { server, uri } = found;
  await app.part(resourceSubscriptions).subscribe(client, { server, uri, name }, signal);
}
