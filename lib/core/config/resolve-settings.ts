import { Fault } from "../base/fault.ts";
import { deepMerge, type JsonObject, sameJson } from "../base/json-object.ts";
import { checkConfig } from "./check.ts";
import { type Config, configKeys, type ServerConfig } from "./config-keys.ts";

/** The configurations that follow from one content of the file. Deeply frozen. */
export interface Settings {
  /** The content of the file. */
  readonly raw: JsonObject;
  /** The checked content of the file, without overrides. */
  readonly file: Config;
  /** File, environment and flags combined: the configuration after the next start. */
  readonly wanted: Config;
  /** The configuration in force: `wanted`, but keys that require a restart have their values from the start. */
  readonly current: Config;
  readonly servers: ReadonlyMap<string, ServerConfig>;
  readonly unknown: readonly string[];
  readonly pending: readonly string[];
}

/**
 * Derives the configurations from the content of the file.
 *
 * @param overrides environment and flags, as a part of a document
 * @param boot the configuration with which the program started; absent at the start
 * @throws Fault config_invalid that names the keys
 */
export function resolveSettings(raw: JsonObject, overrides: JsonObject, boot?: Config): Settings {
  const { config: file, unknown } = checked(raw);
  const requested = Object.keys(overrides).length > 0 ? checked(deepMerge(raw, overrides)).config : file;
  const gated = boot ? gatedPaths(requested, boot) : [];
  const effective = frozen(enforce(requested));
  const current = boot ? frozen(enforce(gated.reduce((c, path) => pinned(c, path, boot), requested))) : effective;
  return {
    raw,
    file: frozen(file),
    wanted: effective,
    current,
    servers: new Map(current.mcpServers.map((server) => [server.name, server])),
    unknown,
    pending: gated.filter((path) => !sameJson(at(requested, path), at(boot, path))).map((path) => path.join(".")),
  };
}

type GatedPath = readonly [keyof Config & string, string?];

/**
 * Returns the paths whose changes require a restart. If an object was added or removed since the start, the whole
 * object requires it.
 */
function gatedPaths(requested: Config, boot: Config): GatedPath[] {
  return configKeys().flatMap(({ key, facts }): GatedPath[] => {
    if (facts.reload === "restart") return [[key]];
    const inner = facts.restartWithin ?? [];
    if (inner.length > 0 && (requested[key] === undefined || boot[key] === undefined)) return [[key]];
    return inner.map((member) => [key, member]);
  });
}

function checked(document: unknown) {
  const result = checkConfig(document);
  if (result.ok) return result;
  const problems = result.problems.map(({ field, message }) => ({ field, message }));
  throw new Fault("config_invalid", { reason: result.problems.map((p) => p.text).join("; "), problems });
}

/**
 * Requires authentication for MCP in the multi-user edition, whatever the file says (spec 001 §5 item 1), and if clients
 * can sign in: they only begin to do so when they are rejected.
 */
function enforce(config: Config): Config {
  const isForced = config.server_edition?.enabled || config.auth.oauth.enabled;
  return isForced ? { ...config, require_mcp_auth: true } : config;
}

/** Returns the configuration with the value that one path had at the start. */
function pinned(config: Config, [key, member]: GatedPath, boot: Config): Config {
  if (member === undefined) return withMember(config, key, boot[key]) as Config;
  const object = withMember(config[key] as JsonObject, member, (boot[key] as JsonObject)[member]);
  return withMember(config, key, object) as Config;
}

function withMember(object: JsonObject, key: string, value: unknown): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _gone, ...rest } = object;
  return rest;
}

const at = (config: Config | undefined, [key, member]: GatedPath): unknown =>
  member === undefined ? config?.[key] : (config?.[key] as JsonObject | undefined)?.[member];

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}
