import type { App } from "../app.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import type { ServerConfig } from "../config/schema.ts";
import { refuseEchoes } from "../redact/echo.ts";
import { add } from "../servers/add.ts";
import { mayManage } from "../servers/may.ts";
import type { Actor } from "../shape/caller.ts";
import { keep, referenceTo } from "../vault/keep.ts";
import { secretName } from "../vault/name.ts";
import { told } from "../vault/store.ts";
import { type Recipe, type Way, wayOf } from "./derive/recipe.ts";
import { withDigest } from "./digest.ts";
import type { Entry, Input } from "./entry.ts";
import { entryOf } from "./find.ts";
import { inputRecord, meansOf } from "./search.ts";
import { type Source, sourceOf } from "./sources.ts";

/** What may be said about a server that is installed; never its definition (spec 000 §4.4). */
export interface Overrides {
  /** The last part of its name in the registry unless said otherwise. */
  name?: string | undefined;
  /** Values of inputs, headers and arguments included; a reference stands as it is. */
  env?: Readonly<Record<string, string>> | undefined;
  enabled?: boolean | undefined;
}

/** A server as it was made of a registry entry. */
export interface Installed {
  name: string;
  /** Names of the secrets that were put into the keyring for it. */
  secrets: string[];
}

/**
 * Adds a server from a registry: the definition is made here, of the registry's entry, in the version that it names
 * (spec 000 §4.4). Quarantine is as for every new server. Secret values go into the keyring first, the configuration
 * holds references.
 *
 * @throws Fault registry_not_found, server_not_found, registry_unavailable, registry_source_unusable, no_install_info,
 *   missing_required_input, duplicate_name, invalid_request, already_exists, echoed_mask, management_disabled,
 *   admin_required
 */
export async function install(
  app: App,
  registry: string,
  serverId: string,
  said: Overrides,
  by: Actor,
  signal: AbortSignal,
): Promise<Installed> {
  mayManage(app, by, "add");
  refuseEchoes({ name: said.name, env: said.env });
  const source = sourceOf(app, registry);
  const entry = await entryOf(app, source, serverId, signal);
  if (entry.status === "deleted") throw refuse(entry, "it was withdrawn by the registry");
  const means = await meansOf(app);
  const pinned = await withDigest(app, source, entry, signal);
  const way = possible(pinned, () => wayOf(pinned, means));
  const env = { ...said.env };
  const name = nameFor(app, source, entry, said.name);
  const { give, secrets } = giving(way, env, name);
  missing(entry, way, env);
  const recipe = attempt(() => way.with(give));
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const [secret, value] of secrets) undo.push(await keep(app, secret, value));
    await add(app, { name, ...fields(recipe, extra(way, env, recipe)), enabled: said.enabled ?? true }, by, {
      source_registry_id: source.id,
      source_registry_provenance: source.provenance,
      source_registry_server: entry.id,
      ...(entry.version !== undefined && { source_registry_version: entry.version }),
    });
  } catch (error) {
    for (const one of undo) await one();
    if (error instanceof Fault && error.code === "already_exists" && error.facts.what === "server")
      throw new Fault("duplicate_name", { name }, { cause: error });
    throw error;
  }
  for (const secret of secrets.keys()) told(app, "store", secret, by);
  return { name, secrets: [...secrets.keys()] };
}

const refuse = ({ id }: Entry, reason: string) => new Fault("no_install_info", { server: id, reason });

function possible<T>(entry: Entry, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refuse(entry, reasonOf(error));
  }
}

/** With real values a way that was possible fails only over these. */
function attempt(work: () => Recipe): Recipe {
  try {
    return work();
  } catch (error) {
    throw new Fault("invalid_request", { reason: reasonOf(error) });
  }
}

/** @throws Fault missing_required_input */
function missing({ id }: Entry, { inputs }: Way, env: Readonly<Record<string, string>>): void {
  const lacking = inputs
    .filter(({ input, needed }) => needed && !env[input.name])
    .map(({ input }) => inputRecord(input));
  if (lacking.length === 0) return;
  throw new Fault("missing_required_input", {
    server: id,
    missing_inputs: lacking,
    report: { success: false, code: "missing_required_input", missing_inputs: lacking },
  });
}

/** What was given, with references in the place of secrets. */
function giving({ inputs }: Way, env: Readonly<Record<string, string>>, name: string) {
  const secrets = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const { input } of inputs) {
    const value = Object.hasOwn(env, input.name) ? env[input.name] : undefined;
    if (value === undefined) continue;
    checkValue(input, value);
    if (!input.secret || value === "" || value.includes("${")) {
      texts.set(input.name, value);
      continue;
    }
    const secret = secretName(name, input.name.replace(/^-+/, ""));
    secrets.set(secret, value);
    texts.set(input.name, referenceTo(secret));
  }
  return { secrets, give: (input: Input) => texts.get(input.name) };
}

/** @throws Fault invalid_request */
function checkValue({ name, choices, format }: Input, value: string): void {
  const wrong = (reason: string) => new Fault("invalid_request", { reason: `env.${name}: ${reason}` });
  if (value.includes("${")) return;
  if (choices && !choices.includes(value)) throw wrong(`must be one of ${choices.join(", ")}`);
  if (format === "number" && Number.isNaN(Number(value))) throw wrong("must be a number");
  if (format === "boolean" && !/^(?:true|false)$/.test(value)) throw wrong("must be true or false");
}

/** Variables beyond those the entry speaks of. @throws Fault invalid_request where the server is not started here */
function extra({ inputs }: Way, env: Readonly<Record<string, string>>, recipe: Recipe): Record<string, string> {
  const asked = new Set(inputs.map(({ input }) => input.name));
  const more = Object.entries(env).filter(([name]) => !asked.has(name));
  const [first] = more;
  if (first && !("command" in recipe))
    throw new Fault("invalid_request", { reason: `env.${first[0]}: the server does not ask for it` });
  return Object.fromEntries(more);
}

function fields(recipe: Recipe, more: Record<string, string>) {
  if (!("command" in recipe)) {
    const { protocol, url, headers } = recipe;
    return { protocol, url, ...(Object.keys(headers).length > 0 && { headers }) };
  }
  const { kind, command, args } = recipe;
  const env = { ...recipe.env, ...more };
  // The engine passes on to the container what it is told by name.
  const passed = kind === "oci" ? [...args.slice(0, 3), ...Object.keys(more).flatMap((name) => ["-e", name])] : [];
  return {
    protocol: "stdio",
    command,
    args: kind === "oci" ? [...passed, ...args.slice(3)] : args,
    ...(Object.keys(env).length > 0 && { env }),
  };
}

/** @throws Fault duplicate_name */
function nameFor(app: App, source: Source, { id }: Entry, wanted: string | undefined): string {
  const servers = app.config.current().mcpServers;
  const isTaken = (name: string) => servers.some((server) => server.name === name);
  if (wanted) {
    if (isTaken(wanted)) throw new Fault("duplicate_name", { name: wanted });
    return wanted;
  }
  const twin = servers.find(
    (one: ServerConfig) => one.source_registry_id === source.id && one.source_registry_server === id,
  );
  if (twin) throw new Fault("duplicate_name", { name: twin.name });
  const last = id.slice(id.lastIndexOf("/") + 1);
  const base =
    last
      .replaceAll(/[^\w.-]+/g, "-")
      .replaceAll(/^[-.]+|[-.]+$/g, "")
      .slice(0, 60) || "server";
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!isTaken(name)) return name;
  }
}
