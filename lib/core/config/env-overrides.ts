import { Fault } from "../base/fault.ts";
import { deepMerge, type JsonObject } from "../base/json-object.ts";
import { checkConfig } from "./check.ts";
import { unwrapSchema } from "./check-unknown-keys.ts";
import { type Config, configDocument, configKeys } from "./config-keys.ts";

/** The prefix of all environment variables of the proxy. */
export const ENV_PREFIX = "SERVICE_";

/** Members of objects that have their own variable. */
const NESTED: readonly (readonly [variable: string, key: keyof Config & string, member: string])[] = [
  ["TLS_ENABLED", "tls", "enabled"],
  ["TLS_REQUIRE_CLIENT_CERT", "tls", "require_client_cert"],
  ["CERTS_DIR", "tls", "certs_dir"],
  ["LOG_LEVEL", "logging", "level"],
  ["LOG_DIR", "logging", "log_dir"],
  ["PUBLIC_URL", "server_edition", "public_url"],
];

/** One variable and the key that it overrides. */
interface EnvVariable {
  name: string;
  path: readonly [string] | readonly [string, string];
  kind: "text" | "number" | "switch" | "list";
}

/** Lists the variables that override the configuration, in document order. */
export const envVariables = (): readonly EnvVariable[] => [
  ...configKeys().flatMap(({ key, facts }): EnvVariable[] => {
    const kind = kindOf(schemaAt([key]));
    return kind ? [{ name: ENV_PREFIX + (facts.env ?? key.toUpperCase()), path: [key], kind }] : [];
  }),
  ...NESTED.map(([name, key, member]) => memberVariable(name, [key, member])),
  ...configKeys().flatMap(({ key, facts: { envMembers = [] } }) =>
    envMembers.map((member) => memberVariable(`${key}_${member}`.toUpperCase(), [key, member])),
  ),
];

function memberVariable(name: string, path: readonly [string, string]): EnvVariable {
  return { name: ENV_PREFIX + name, path, kind: kindOf(schemaAt(path)) ?? "text" };
}

/**
 * Returns the overrides from the environment as a part of a document. An empty variable is ignored; lists are
 * separated by commas.
 *
 * @throws Fault config_invalid that names the variable
 */
export function envOverrides(env: Readonly<Record<string, string | undefined>>): JsonObject {
  let overrides: JsonObject = {};
  for (const { name, path, kind } of envVariables()) {
    const text = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
    if (!text) continue;
    const value = READ[kind](text);
    const [key, member] = path;
    const setting = { [key]: member === undefined ? value : { [member]: value } };
    const wrong = value === undefined ? EXPECTED[kind] : wrongIn(setting, path);
    if (wrong) throw new Fault("config_invalid", { reason: `environment variable ${name}: ${wrong}` });
    overrides = deepMerge(overrides, setting) as JsonObject;
  }
  return overrides;
}

/**
 * Reads a variable that is a switch without a key of the configuration; false if it is absent or empty.
 *
 * @throws Fault config_invalid that names the variable
 */
export function environmentSwitch(env: Readonly<Record<string, string | undefined>>, name: string): boolean {
  const text = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
  if (!text) return false;
  const value = READ.switch(text);
  if (value === undefined)
    throw new Fault("config_invalid", { reason: `environment variable ${name}: ${EXPECTED.switch}` });
  return value;
}

/** Returns the first error of a value; if it concerns a part of the value, the message contains the path. */
function wrongIn(setting: JsonObject, path: readonly string[]): string | undefined {
  const checked = checkConfig(setting);
  if (checked.ok) return undefined;
  const [first] = checked.problems;
  return first.path.length === path.length ? first.message : first.text;
}

const READ = {
  text: (text: string) => text,
  number: (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined),
  switch: (text: string) => SWITCH.get(text.toLowerCase()),
  list: (text: string) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
};
const SWITCH = new Map([
  ...["true", "1", "yes", "on"].map((word) => [word, true] as const),
  ...["false", "0", "no", "off"].map((word) => [word, false] as const),
]);
const EXPECTED = { text: "", number: "must be a number", switch: "must be true or false", list: "" };

type Schema = { type: string; wrapped?: Schema; entries?: Record<string, Schema>; item?: Schema };

function schemaAt(path: readonly string[]): Schema {
  let schema = configDocument() as unknown as Schema;
  for (const step of path) schema = unwrapSchema(schema).entries![step]!;
  return schema;
}

function kindOf(schema: Schema): EnvVariable["kind"] | undefined {
  const { type, item } = unwrapSchema(schema) as Schema;
  if (type === "string" || type === "picklist") return "text";
  if (type === "number") return "number";
  if (type === "boolean") return "switch";
  return type === "array" && unwrapSchema(item!).type === "string" ? "list" : undefined;
}
