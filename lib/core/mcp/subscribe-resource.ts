import type { App } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { type ResourceSubscriber, resourceSubscriptions } from "../gateway/resource-subscriptions.ts";
import { RpcError } from "../schema/mcp.ts";
import { findResource } from "./find-resource.ts";
import { invalidParams } from "./rpc.ts";

/** Maximum length of a URI. (characters) */
const MAX_URI = 8192;

/**
 * Subscribes a client to a resource by the URI that the client sent, mapped or original.
 *
 * @throws Fault item_not_found; the errors of `resourceSubscriptions`; RpcError
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
