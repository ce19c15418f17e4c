import { isObject, type JsonObject } from "../base/merge.ts";
import type { Reach, Shape } from "./client.ts";

/** The words of one client for the parts of an entry, where they differ from the common ones. */
export interface Words {
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

/** The common shape of an entry, in a client's own words. Reading takes the words of all clients. */
export function shape(words: Words = {}): Shape {
  return {
    write: (reach, name) => ({ ...(words.name && { [words.name]: name }), ...written(words, reach) }),
    read: (raw) => read(words, raw),
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

function read(words: Words, raw: JsonObject): ReturnType<Shape["read"]> {
  const reach = localOf(raw) ?? remoteOf(words, raw);
  if (!reach) return undefined;
  const heard = new Set([
    ...SPOKEN,
    ...(reach.kind === "stdio"
      ? [...COMMAND_KEYS, ...ENV_KEYS, "args", "cwd"]
      : [...URL_KEYS, "headers", "http_headers"]),
  ]);
  const enabled = raw.enabled !== false && raw.disabled !== true && raw.isActive !== false;
  return { reach, enabled, leftOut: Object.keys(raw).filter((key) => !heard.has(key) && !isEmpty(raw[key])) };
}

function localOf(raw: JsonObject): Reach | undefined {
  const said = COMMAND_KEYS.map((key) => raw[key]).find((value) => value !== undefined);
  // One client has had the program as an object: path, args, env.
  const inner = isObject(said) ? said : undefined;
  const line = Array.isArray(said) ? said.filter((word) => typeof word === "string") : [];
  const command = Array.isArray(said) ? line[0] : (inner?.path ?? inner?.command ?? said);
  if (typeof command !== "string" || command === "") return undefined;
  const env = ENV_KEYS.map((key) => raw[key]).find(isObject) ?? inner?.env;
  return {
    kind: "stdio",
    command,
    args: [...line.slice(1), ...texts(raw.args ?? inner?.args)],
    env: stringsOf(env),
    ...(typeof raw.cwd === "string" && { cwd: raw.cwd }),
  };
}

function remoteOf(words: Words, raw: JsonObject): Reach | undefined {
  const key = URL_KEYS.find((name) => typeof raw[name] === "string" && raw[name] !== "");
  if (key === undefined) return undefined;
  const options = isObject(raw.requestOptions) ? raw.requestOptions : {};
  return {
    kind: isSse(words, raw, key) ? "sse" : "http",
    url: raw[key] as string,
    headers: { ...stringsOf(options.headers), ...stringsOf(raw.http_headers), ...stringsOf(raw.headers) },
  };
}

/** Said, or told by the key where a client has one for each transport, or by the address. */
function isSse({ sseUrl }: Words, raw: JsonObject, key: string): boolean {
  const said = [raw.type, raw.transport].find((value) => typeof value === "string");
  if (said === "sse") return true;
  if (typeof said === "string" && /http/i.test(said)) return false;
  return sseUrl === undefined ? /\/sse\/?(?:\?|$)/.test(raw[key] as string) : key === sseUrl;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function stringsOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
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
  return isObject(value) && Object.keys(value).length === 0;
}
