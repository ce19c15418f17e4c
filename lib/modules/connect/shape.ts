import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import type { Reach, Shape } from "./client.ts";

/** The names that one client uses for the parts of an entry, where they differ from the common ones. */
interface Words {
  /** Key of the address; default `url`. */
  readonly url?: string;
  /** Key of the address over the older transport. */
  readonly sseUrl?: string;
  /** Path of keys to the headers. */
  readonly headers?: readonly string[];
  readonly env?: string;
  readonly command?: string;
  readonly cwd?: string;
  /** Set if the program and its arguments are one list. */
  readonly commandLine?: true;
  /** Members that every entry of this kind has. */
  readonly http?: JsonObject;
  readonly sse?: JsonObject;
  readonly stdio?: JsonObject;
  /** The member that repeats the entry's name. */
  readonly name?: string;
}

/**
 * The keys that clients use for an address. All are accepted for every client, because people copy entries between
 * clients.
 */
const URL_KEYS = ["url", "serverUrl", "httpUrl", "uri"];
const COMMAND_KEYS = ["command", "cmd"];
const ENV_KEYS = ["env", "environment", "envs"];
/** Keys that are read or whose loss does not matter. */
const SPOKEN = ["type", "transport", "name", "enabled", "disabled", "isActive", "description", "source"];
/** Keys of objects that contain the headers of an address. */
const OPTIONS = ["requestOptions", "requestInit"];
/**
 * Keys that name the variable with a bearer token, map headers to variables, list variables to pass on, and list
 * secrets.
 */
const VARIABLES = {
  bearer: ["bearer_token_env_var", "bearerTokenEnvVar"],
  headers: "env_http_headers",
  passed: "env_vars",
  secrets: "env_keys",
} as const;

/** Creates the shape of an entry with one client's names. Reading accepts the names of all clients. */
export function shape(words: Words = {}): Shape {
  return {
    write: (reach, name) => ({ ...(words.name && { [words.name]: name }), ...written(words, reach) }),
    read,
  };
}

function written(words: Words, reach: Reach): JsonObject {
  if (reach.kind === "stdio") {
    const { command = "command", env = "env", cwd = "cwd" } = words;
    const started = words.commandLine
      ? { [command]: [reach.command, ...reach.args] }
      : { [command]: reach.command, args: [...reach.args] };
    return {
      ...words.stdio,
      ...started,
      ...(Object.keys(reach.env).length > 0 && { [env]: { ...reach.env } }),
      ...(reach.cwd !== undefined && { [cwd]: reach.cwd }),
    };
  }
  const sse = reach.kind === "sse";
  const url = (sse ? words.sseUrl : undefined) ?? words.url ?? "url";
  return { ...(sse ? words.sse : words.http), [url]: reach.url, ...headersAt(words, reach.headers) };
}

function headersAt({ headers: path = ["headers"] }: Words, headers: Readonly<Record<string, string>>): JsonObject {
  if (Object.keys(headers).length === 0) return {};
  return path.reduceRight<JsonObject>((inner, key) => ({ [key]: inner }), { ...headers });
}

function read(entry: JsonObject): ReturnType<Shape["read"]> {
  // One client puts everything except switches into a nested object.
  const { transport } = entry;
  const raw = isJsonObject(transport) ? { ...entry, transport: undefined, ...transport } : entry;
  const reach = localOf(raw) ?? remoteOf(raw);
  if (!reach) return undefined;
  const heard = new Set([
    ...SPOKEN,
    ...(reach.kind === "stdio"
      ? [...COMMAND_KEYS, ...ENV_KEYS, "args", "cwd", VARIABLES.passed, VARIABLES.secrets]
      : [...URL_KEYS, "headers", "http_headers", ...VARIABLES.bearer, VARIABLES.headers]),
  ]);
  const enabled = raw.enabled !== false && raw.disabled !== true && raw.isActive !== false;
  const leftOut = Object.keys(raw).filter((key) => !heard.has(key) && !isEmpty(raw[key]) && !isHeaders(raw, key));
  return { reach, enabled, leftOut };
}

/** Whether an object contains only headers, which are read. */
function isHeaders(raw: JsonObject, key: string): boolean {
  const options = OPTIONS.includes(key) ? raw[key] : undefined;
  return isJsonObject(options) && Object.keys(options).every((inner) => inner === "headers");
}

/** Names of the environment variables that an entry sets, even if it leads to an address and starts no program. */
export function envNamesIn(raw: JsonObject): string[] {
  const inner = isJsonObject(raw.transport) ? raw.transport : {};
  const env = ENV_KEYS.flatMap((key) => [inner[key], raw[key]]).find(isJsonObject);
  return Object.keys({ ...passed(raw), ...env });
}

function localOf(raw: JsonObject): Reach | undefined {
  const said = COMMAND_KEYS.map((key) => raw[key]).find((value) => value !== undefined);
  // An earlier version of one client had the program as an object with path, args and env.
  const inner = isJsonObject(said) ? said : undefined;
  const line = Array.isArray(said) ? said.filter((word) => typeof word === "string") : [];
  const command = Array.isArray(said) ? line[0] : (inner?.path ?? inner?.command ?? said);
  if (typeof command !== "string" || command === "") return undefined;
  const env = ENV_KEYS.map((key) => raw[key]).find(isJsonObject) ?? inner?.env;
  return {
    kind: "stdio",
    command,
    args: [...line.slice(1), ...texts(raw.args ?? inner?.args)],
    env: { ...passed(raw), ...stringsOf(env) },
    ...(typeof raw.cwd === "string" && { cwd: raw.cwd }),
  };
}

function remoteOf(raw: JsonObject): Reach | undefined {
  const key = URL_KEYS.find((name) => typeof raw[name] === "string" && raw[name] !== "");
  if (key === undefined) return undefined;
  const options = OPTIONS.map((name) => raw[name]).filter(isJsonObject);
  const inner = Object.assign({}, ...options.map(({ headers }) => stringsOf(headers)));
  return {
    kind: isSse(raw, raw[key] as string) ? "sse" : "http",
    url: raw[key] as string,
    headers: { ...fromVariables(raw), ...inner, ...stringsOf(raw.http_headers), ...stringsOf(raw.headers) },
  };
}

/** Variables that the client passes to the program from its environment or keyring. */
function passed(raw: JsonObject): Record<string, string> {
  const names = listOf(raw[VARIABLES.passed]).map((item) => (isJsonObject(item) ? item.name : item));
  return Object.fromEntries([
    ...texts(names).map((name) => [name, `\${env:${name}}`]),
    ...texts(raw[VARIABLES.secrets]).map((name) => [name, `\${input:${name}}`]),
  ]);
}

/** Headers whose values the client reads from its environment. */
function fromVariables(raw: JsonObject): Record<string, string> {
  const bearer = VARIABLES.bearer.map((key) => raw[key]).find((name) => typeof name === "string" && name !== "");
  const mapped = Object.entries(stringsOf(raw[VARIABLES.headers])).map(([name, value]) => [name, `\${env:${value}}`]);
  return { ...(bearer !== undefined && { Authorization: `Bearer \${env:${bearer}}` }), ...Object.fromEntries(mapped) };
}

/**
 * Whether the entry states the older transport, or its address suggests it. The proxy tries both for an address that
 * could be either.
 */
function isSse(raw: JsonObject, url: string): boolean {
  const transport = [raw.type, raw.transport].find((value) => typeof value === "string");
  return typeof transport === "string" && /sse|http/i.test(transport)
    ? /^sse$/i.test(transport)
    : /\/sse\/?(?:\?|$)/.test(url);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown): string[] => listOf(value).map(String);

function stringsOf(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, string][] =>
      ["string", "number", "boolean"].includes(typeof item) ? [[key, String(item)]] : [],
    ),
  );
}

/** Whether a value carries no information, such as `autoApprove: []`. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
