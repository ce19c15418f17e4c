import type { App } from "../../core/app.ts";
import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { bridgedAddress, bridgeReach, hasSocket } from "./bridge-entry.ts";
import { type Client, members, type Reach, readServers } from "./client.ts";
import { needsCredential, shownSecret, signsInAlone, usableIn } from "./credential.ts";
import { decode, Malformed, parse } from "./document.ts";
import { put } from "./edit.ts";
import { Fault } from "./faults.ts";
import { type Found, look, mayWrite, remedyFor } from "./file.ts";
import { DEFAULT_NAME, endpointOf, isOurs, type Target, targetOf } from "./target.ts";

/** The change that a connect would make at this moment. The preview and the connect both use this plan. */
export interface ConnectPlan extends Target {
  readonly found: Found;
  /** Content of the file; empty if it does not exist. */
  readonly text: string;
  /** The parsed content; empty if parsing failed. */
  readonly document: unknown;
  /** Name of the entry. */
  readonly name: string;
  readonly existing: JsonObject | undefined;
  /** The entry, its secret masked. */
  readonly raw: JsonObject;
  /** The entry with a secret. */
  entry(secret: string | undefined): JsonObject;
  readonly needsCredential: boolean;
  /** Whether the client gets its token by a sign-in. */
  readonly signsIn: boolean;
  /** The secret of the existing entry, if it can be kept. */
  readonly secret: string | undefined;
  /** Why a connect would be rejected regardless of `force`. */
  readonly refusal: Fault | undefined;
}

/** @throws Fault connect_denied, invalid_request */
export async function connectPlan(app: App, client: Client, wished: string): Promise<ConnectPlan> {
  checkName(wished);
  const target = await targetOf(app, client);
  const found = await look(target.path, app.boot.machine);
  throwDenied(target.path, found);
  const { text, document, trouble } = contentOf(client, found);
  const name = wished || nameIn(app, client, document);
  const existing = entryNamed(client, document, name);
  const signsIn = signsInAlone(app, client);
  const needs = needsCredential(app) && !signsIn;
  const secret = needs ? usableIn(app, client.id, existing) : undefined;
  const eager = app.boot.routingMode === "direct" ? {} : client.eager;
  const entry = (value: string | undefined) => ({
    ...client.shape.write(reachOf(app, client, needs ? value : undefined), name),
    ...eager,
  });
  const raw = entry(shownSecret(secret));
  const plan = {
    ...target,
    found,
    text,
    document,
    name,
    existing,
    raw,
    entry,
    needsCredential: needs,
    signsIn,
    secret,
  };
  return { ...plan, refusal: trouble ?? (await refusalOf(app, plan)) };
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Checks that every client's format accepts the name as a plain key. @throws Fault invalid_request */
export function checkName(name: string): void {
  if (name !== "" && !NAME.test(name))
    throw new Fault("invalid_request", {
      reason: "server_name: must be 1 to 64 letters, digits, - _ or ., and begin with a letter or digit",
    });
}

/** @throws Fault connect_denied */
export function throwDenied(path: string, found: Found): void {
  if (found.state === "denied") throw new Fault("connect_denied", { path, remediation: found.remedy });
}

/** Reads and parses a configuration, or returns why it cannot be used. */
export function contentOf(client: Client, found: Found): { text: string; document: unknown; trouble?: Fault } {
  if (found.state === "absent") return { text: "", document: {} };
  if (found.state !== "file") {
    const reason = found.state === "unusable" ? found.reason : found.remedy;
    return { text: "", document: {}, trouble: new Fault("connect_refused", { reason }) };
  }
  try {
    const text = decode(found.bytes);
    const document = parse(client.format, text);
    if (!isJsonObject(document)) throw new Malformed("its top level is not an object");
    return { text, document };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { text: "", document: {}, trouble: brokenFileFault(client, error) };
  }
}

/** Returns the error for a configuration file that the proxy cannot edit. */
export function brokenFileFault(client: Client, error: Malformed): Fault {
  return new Fault("connect_refused", {
    reason: `the configuration of ${client.name} cannot be edited and was not changed: ${scrubText(error.message)}`,
  });
}

/** The name of the proxy's entry: the default name, or the name under which an existing entry leads to this proxy. */
export function nameIn(app: App, client: Client, document: unknown): string {
  const { entries } = readServers(client, document);
  if (entries.some((entry) => entry.name === DEFAULT_NAME)) return DEFAULT_NAME;
  return entries.find((entry) => isOurs(app, addressOf(app, entry.reach) ?? ""))?.name ?? DEFAULT_NAME;
}

/** The address that an entry leads to, directly or through a bridge program. */
export function addressOf(app: App, reach: Reach): string | undefined {
  return reach.kind === "stdio" ? bridgedAddress(app, reach) : reach.url;
}

/** Returns the entry with this name. A value that is not an object is wrapped as `{ value }`. */
export function entryNamed(client: Client, document: unknown, name: string): JsonObject | undefined {
  const raw = members(client, document).find(([key]) => key === name)?.[1];
  if (raw === undefined) return undefined;
  return isJsonObject(raw) ? raw : { value: raw };
}

function reachOf(app: App, client: Client, secret: string | undefined): Reach {
  if (client.bridge) return bridgeReach(app, secret);
  const url = endpointOf(app)?.url ?? "http://127.0.0.1/mcp";
  return { kind: "http", url, headers: secret === undefined ? {} : { "X-API-Key": secret } };
}

async function refusalOf(app: App, plan: Omit<ConnectPlan, "refusal">): Promise<Fault | undefined> {
  const { client, path, found, text, name, raw } = plan;
  const refused = (reason: string) => new Fault("connect_refused", { reason });
  if (!endpointOf(app) && !(client.bridge && hasSocket(app)))
    return refused("the proxy has no HTTP listener that a client could reach; set listen in its configuration");
  if (found.state === "absent" && !client.creates)
    return refused(`${client.name} has no configuration at ${path} yet and must create it itself; start it once first`);
  if (!(await mayWrite(path, found)))
    return new Fault("connect_denied", { path, remediation: remedyFor(path, app.boot.machine) });
  try {
    put(client, text, name, raw);
    return undefined;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return brokenFileFault(client, error);
  }
}
