import type { InferOutput } from "valibot";
import type { App } from "../../core/app.ts";
import type { ClientStatusShape } from "../../core/schema/connect-shapes.ts";
import type { Client, Entry } from "./client.ts";
import { readServers } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { look } from "./file.ts";
import { addressOf, contentOf } from "./plan.ts";
import { clientOf, DEFAULT_NAME, endpointOf, isOurs, type Target, targetOf } from "./target.ts";

/** The status of one client (spec 000 §2.7). */
type ClientStatus = InferOutput<typeof ClientStatusShape>;

/** Lists every known client by file metadata alone; no file is opened. */
export function listClientStatus(app: App): Promise<ClientStatus[]> {
  return Promise.all(CLIENTS.map(async (client) => statusOf(app, await targetOf(app, client))));
}

/** Reads one client's configuration. The result reports a denied read. @throws Fault no_such_record */
export async function status(app: App, id: string): Promise<ClientStatus> {
  const target = await targetOf(app, clientOf(id));
  const found = await look(target.path, app.boot.machine);
  const status = { ...statusOf(app, target), checked_paths: [...target.checked] };
  if (found.state === "absent") return { ...status, exists: false, access_state: "absent" };
  if (found.state === "denied") return { ...status, access_state: "denied", remediation: found.remedy };
  const { document, trouble } = contentOf(target.client, found);
  if (trouble) return { ...status, access_state: "malformed", reason: trouble.message };
  return { ...status, exists: true, access_state: "accessible", ...registered(app, target.client, document) };
}

function statusOf(app: App, { client, path, exists }: Target): ClientStatus {
  return {
    id: client.id,
    name: client.name,
    icon: client.id,
    config_path: path,
    exists,
    connected: false,
    supported: true,
    ...(client.bridge && { bridge: true }),
    ...(client.note !== undefined && { note: client.note }),
    access_state: "unknown",
    proxy_url: endpointOf(app)?.url ?? "",
    endpoint_match: "",
  };
}

/** The entry that leads to this instance, or else the entry with the proxy's name. */
function registered(app: App, client: Client, document: unknown): Partial<ClientStatus> {
  const { entries } = readServers(client, document);
  const entry =
    entries.find((e) => isOurs(app, addressOf(app, e.reach) ?? "")) ?? entries.find((e) => e.name === DEFAULT_NAME);
  return entry ? { connected: true, server_name: entry.name, ...matching(app, entry) } : {};
}

function matching(app: App, { reach }: Entry): Pick<ClientStatus, "registered_url" | "endpoint_match"> {
  const address = addressOf(app, reach);
  const plain = address === undefined ? undefined : plainAddress(address);
  if (address === undefined || plain === undefined) return { endpoint_match: "unknown" };
  return { registered_url: plain, endpoint_match: isOurs(app, address) ? "this" : "other" };
}

/** Scheme, host and path of an address; undefined if it is not an absolute URL. */
export function plainAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, pathname } = new URL(address);
  return host === "" ? undefined : `${protocol}//${host}${pathname}`;
}
