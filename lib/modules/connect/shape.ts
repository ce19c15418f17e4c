import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";
import type { Reach, Shape } from "./client.ts";

/** The words of one client for the parts of an entry, where they differ from the common ones. */
interface Words {
  /** Key of the address: `url` unless said otherwise. */
  readonly url?: string;
  /** Key of the address over the older transport. */
  readonly sseUrl?: string;
  /** Key of headers, or keys down to it. */
  readonly headers?: readonly string[];
  readonly env?: string;
  readonly command?: string;
  readonly cwd?: string;
  /** Program and arguments stand in one list. */
  readonly commandLine?: true;
  /** Members that every entry of a kind carries. */
  readonly http?: JsonObject;
  readonly sse?: JsonObject;
  readonly stdio?: JsonObject;
  /** A member that carries the entry's own name. */
  readonly name?: string;
}

/** What clients call an address; each takes one of them, and people copy entries from one to another. */
const URL_KEYS = ["url", "serverUrl", "httpUrl", "uri"];
const COMMAND_KEYS = ["command", "cmd"];
const ENV_KEYS = ["env", "environment", "envs"];
/** Read, and carrying nothing that would be lost. */
const SPOKEN = ["type", "transport", "name", "enabled", "disabled", "isActive", "description", "source"];
/** Objects that hold the headers of an address one level lower. */
const OPTIONS = ["requestOptions", "requestInit"];
/** Name the variable with a bearer token; map headers to variables; list variables that are passed on; list secrets. */
const VARIABLES = {
  bearer: ["bearer_token_env_var", "bearerTokenEnvVar"],
  headers: "env_http_headers",
  passed: "env_vars",
  secrets: "env_keys",
} as const;

/** The common shape of an entry, in a client's own words. Reading takes the words of all clients. */
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
  // One client writes all but switches into an object of its own.
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

/** Says nothing but headers, which are read. */
function isHeaders(raw: JsonObject, key: string): boolean {
  const held = OPTIONS.includes(key) ? raw[key] : undefined;
  return isJsonObject(held) && Object.keys(held).every((inner) => inner === "headers");
}

/** Names of the environment variables that an entry sets, also where it leads to an address and nothing is started. */
export function envNamesIn(raw: JsonObject): string[] {
  const inner = isJsonObject(raw.transport) ? raw.transport : {};
  const env = ENV_KEYS.flatMap((key) => [inner[key], raw[key]]).find(isJsonObject);
  return Object.keys({ ...passed(raw), ...env });
}

function localOf(raw: JsonObject): Reach | undefined {
  const said = COMMAND_KEYS.map((key) => raw[key]).find((value) => value !== undefined);
  // One client has had the program as an object: path, args, env.
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

/** Variables of the client's own environment, and of its keyring, that its program gets. */
function passed(raw: JsonObject): Record<string, string> {
  const names = listOf(raw[VARIABLES.passed]).map((item) => (isJsonObject(item) ? item.name : item));
  return Object.fromEntries([
    ...texts(names).map((name) => [name, `\${env:${name}}`]),
    ...texts(raw[VARIABLES.secrets]).map((name) => [name, `\${input:${name}}`]),
  ]);
}

/** Headers whose values a client takes from its environment. */
function fromVariables(raw: JsonObject): Record<string, string> {
  const bearer = VARIABLES.bearer.map((key) => raw[key]).find((name) => typeof name === "string" && name !== "");
  const mapped = Object.entries(stringsOf(raw[VARIABLES.headers])).map(([name, value]) => [name, `\${env:${value}}`]);
  return { ...(bearer !== undefined && { Authorization: `Bearer \${env:${bearer}}` }), ...Object.fromEntries(mapped) };
}

/** Said, or told by the address; what can be either is tried as both where it is connected to. */
function isSse(raw: JsonObject, url: string): boolean {
  const said = [raw.type, raw.transport].find((value) => typeof value === "string");
  return typeof said === "string" && /sse|http/i.test(said) ? /^sse$/i.test(said) : /\/sse\/?(?:\?|$)/.test(url);
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

/** Says nothing: `autoApprove: []`. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
