import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { Actor } from "../../core/schema/caller.ts";
import { rejectMasked } from "../../core/secrets/mask/restore-masked.ts";
import { addServer } from "../../core/verbs/servers/add.ts";
import { mayManage } from "../../core/verbs/servers/may-manage.ts";
import { referenceTo } from "../vault/keep.ts";
import { keepEach } from "../vault/keep-each.ts";
import { secretName } from "../vault/name.ts";
import { type InstallPlan, installPlan } from "./derive/install-plan.ts";
import type { Recipe } from "./derive/recipe.ts";
import { withDigest } from "./digest.ts";
import type { Entry, Input } from "./entry.ts";
import { Fault } from "./faults.ts";
import { entryOf } from "./find.ts";
import { screenInput } from "./screen.ts";
import { inputRecord, installHost } from "./search.ts";
import type { Source } from "./source.ts";
import { sourceOf } from "./sources.ts";

/** The choices of the caller who installs a server; never its definition (spec 000 §4.4). */
interface Overrides {
  /** Name of the server; by default the last part of its name in the registry. */
  name?: string | undefined;
  /** Values of inputs, including headers and arguments; a secret reference is kept as it is. */
  env?: Readonly<Record<string, string>> | undefined;
  enabled?: boolean | undefined;
}

/** A server that was added from a registry. */
export interface Installed {
  name: string;
  /** Names of the secrets that were stored in the keyring for it. */
  secrets: string[];
}

/**
 * Adds a server from a registry. The proxy creates the definition from the registry's entry, in the version that the
 * entry names (spec 000 §4.4). It is quarantined like every new server. Secret values are stored in the keyring first,
 * and the configuration contains references.
 *
 * @throws Fault registry_not_found, server_not_found, registry_unavailable, registry_source_unusable, no_install_info,
 *   missing_required_input, duplicate_name, invalid_request, echoed_mask, secret_unwritable, mcp_only_admin,
 *   management_disabled, admin_required
 */
export async function install(
  app: App,
  registry: string,
  serverId: string,
  overrides: Overrides,
  by: Actor,
  signal: AbortSignal,
): Promise<Installed> {
  mayManage(app, by, "add");
  rejectMasked({ name: overrides.name, env: overrides.env });
  const source = sourceOf(app, registry);
  const entry = await entryOf(app, source, serverId, signal);
  if (entry.status === "deleted") throw refuse(entry, "it was withdrawn by the registry");
  const host = await installHost(app);
  const pinned = await withDigest(app, source, entry, signal);
  const plan = orNoInstallInfo(pinned, () => installPlan(pinned, host));
  const env = { ...overrides.env };
  const name = nameFor(app, source, entry, overrides.name);
  mayRefer(by, env);
  requireInputs(entry, plan, env);
  const more = extra(plan, env, by);
  const secrets = secretsIn(plan, env, name);
  // Validates the given values before any secret is stored.
  orInvalidRequest(() => plan.recipeFor(giving(env, secrets, ({ name: secretName }) => secretName)));
  const storedSecrets = await keepEach(app, secrets, false, by);
  const recipe = orInvalidRequest(() =>
    plan.recipeFor(giving(env, secrets, (secret) => storedSecrets.names.get(secret)!)),
  );
  try {
    await addServer(app, { name, ...fields(recipe, more), enabled: overrides.enabled ?? true }, by, {
      source_registry_id: source.id,
      source_registry_provenance: source.provenance,
      source_registry_server: entry.id,
      ...(entry.version !== undefined && { source_registry_version: entry.version }),
    });
  } catch (error) {
    await storedSecrets.undo();
    if (error instanceof Fault && error.code === "already_exists" && error.facts.what === "server")
      throw new Fault("duplicate_name", { name }, { cause: error });
    throw error;
  }
  return { name, secrets: [...storedSecrets.names.values()] };
}

const refuse = ({ id }: Entry, reason: string) => new Fault("no_install_info", { server: id, reason });

/** Reports a failure as no_install_info: the entry alone does not describe a server that can be installed. */
function orNoInstallInfo<T>(entry: Entry, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refuse(entry, reasonOf(error));
  }
}

/** Reports a failure as an invalid request: the plan is sound, so that only the given values can be wrong. */
function orInvalidRequest(work: () => Recipe): Recipe {
  try {
    return work();
  } catch (error) {
    throw new Fault("invalid_request", { reason: reasonOf(error) });
  }
}

/** @throws Fault missing_required_input */
function requireInputs({ id }: Entry, { inputs }: InstallPlan, env: Readonly<Record<string, string>>): void {
  const missingInputs = inputs
    .filter(({ input, needed }) => needed && !env[input.name])
    .map(({ input }) => screenInput(inputRecord(input)));
  if (missingInputs.length === 0) return;
  throw new Fault("missing_required_input", {
    server: id,
    missing_inputs: missingInputs,
    report: { success: false, code: "missing_required_input", missing_inputs: missingInputs },
  });
}

/**
 * Rejects secret references over MCP, because a registry's text could persuade a model to give a foreign server any
 * secret of this machine.
 *
 * @throws Fault mcp_only_admin
 */
function mayRefer({ origin }: Actor, env: Readonly<Record<string, string>>): void {
  if (origin.source === "mcp" && Object.values(env).some((value) => value.includes("${")))
    throw new Fault("mcp_only_admin", { what: "adding a secret reference to a server from a registry" });
}

interface Secret {
  readonly input: string;
  /** Name in the keyring, unless it is taken. */
  readonly name: string;
  readonly value: string;
}

/** The given values that are stored in the keyring. @throws Fault invalid_request for an invalid value */
function secretsIn({ inputs }: InstallPlan, env: Readonly<Record<string, string>>, server: string): Secret[] {
  return inputs.flatMap(({ input }): Secret[] => {
    const value = Object.hasOwn(env, input.name) ? env[input.name] : undefined;
    if (value === undefined) return [];
    checkValue(input, value);
    if (!input.secret || value === "" || value.includes("${")) return [];
    return [{ input: input.name, name: secretName(server, input.name), value }];
  });
}

/** Returns the given values, with references in place of secrets. */
function giving(env: Readonly<Record<string, string>>, secrets: readonly Secret[], nameOf: (secret: Secret) => string) {
  const byInput = new Map(secrets.map((secret) => [secret.input, secret]));
  return ({ name }: Input): string | undefined => {
    const secret = byInput.get(name);
    if (secret) return referenceTo(nameOf(secret));
    return Object.hasOwn(env, name) ? env[name] : undefined;
  };
}

/** @throws Fault invalid_request */
function checkValue({ name, choices, format }: Input, value: string): void {
  const wrong = (reason: string) => new Fault("invalid_request", { reason: `env.${name}: ${reason}` });
  if (value.includes("${")) return;
  if (choices && !choices.includes(value)) throw wrong(`must be one of ${choices.join(", ")}`);
  if (format === "number" && Number.isNaN(Number(value))) throw wrong("must be a number");
  if (format === "boolean" && !/^(?:true|false)$/.test(value)) throw wrong("must be true or false");
}

/**
 * Variables that the entry does not declare; a user may know more about a program than its entry says.
 *
 * @throws Fault invalid_request for a remote server, and over MCP
 */
function extra(
  { inputs, sample }: InstallPlan,
  env: Readonly<Record<string, string>>,
  { origin }: Actor,
): Record<string, string> {
  const inputNames = new Set(inputs.map(({ input }) => input.name));
  const more = Object.entries(env).filter(([name]) => !inputNames.has(name));
  const [first] = more;
  if (first && (!("command" in sample) || origin.source === "mcp"))
    throw new Fault("invalid_request", { reason: `env.${first[0]}: the server has no such input` });
  return Object.fromEntries(more);
}

function fields(recipe: Recipe, more: Record<string, string>) {
  if (!("command" in recipe)) {
    const { protocol, url, headers } = recipe;
    return { protocol, url, ...(Object.keys(headers).length > 0 && { headers }) };
  }
  const { kind, command, args } = recipe;
  const env = { ...recipe.env, ...more };
  // The engine passes the variables that its options name to the container.
  const passed = kind === "oci" ? [...args.slice(0, 3), ...Object.keys(more).flatMap((name) => ["-e", name])] : [];
  return {
    protocol: "stdio",
    command,
    args: kind === "oci" ? [...passed, ...args.slice(3)] : args,
    ...(Object.keys(env).length > 0 && { env }),
  };
}

/** @throws Fault duplicate_name */
function nameFor(app: App, source: Source, { id }: Entry, requestedName: string | undefined): string {
  const servers = app.config.current().mcpServers;
  const isTaken = (name: string) => servers.some((server) => server.name === name);
  if (requestedName) {
    if (isTaken(requestedName)) throw new Fault("duplicate_name", { name: requestedName });
    return requestedName;
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
