import { isSecretHeader, isSecretVariable } from "../../../core/secrets/mask/names.ts";
import type { Argument, Entry, Input, Package, Remote } from "../entry.ts";
import { address, exact, isId, list, member, object, present, prose } from "../read.ts";

/** The `_meta` key of the official registry. */
const OFFICIAL = "io.modelcontextprotocol.registry/official";
const PUBLISHED = "io.modelcontextprotocol.registry/publisher-provided";
/** Maximum depth of nested variables. */
const MAX_DEPTH = 4;

/** An entry, with the facts that select one of several versions. */
export interface Found {
  readonly entry: Entry;
  /** Whether the registry marks it as the latest version. */
  readonly latest: boolean;
}

/**
 * Reads one item of a list in the official format: `{ server: {…}, _meta: {…} }`, or the server alone, as older
 * registries send it. Members are in camelCase or, as in the first drafts, in snake_case.
 *
 * @returns undefined without a valid name
 */
export function officialEntry(item: unknown): Found | undefined {
  const server = member(item, "server") ?? item;
  const id = member(server, "name", "id");
  if (!isId(id)) return undefined;
  const meta = object(member(member(item, "_meta") ?? member(server, "_meta"), OFFICIAL));
  const status = prose(member(meta, "status") ?? member(server, "status"), 40);
  const packages = list(member(server, "packages"), 20).map(readPackage);
  const remotes = list(member(server, "remotes"), 20).map(readRemote);
  const entry: Entry = {
    id,
    name: prose(member(server, "title"), 200) ?? id,
    description: prose(member(server, "description"), 2000) ?? "",
    ...present({
      version: exact(member(server, "version"), 255),
      url: address(member(server, "websiteUrl", "website_url", "homepage")),
      source: address(member(member(server, "repository"), "url")),
      createdAt: prose(member(meta, "publishedAt", "published_at"), 40),
      updatedAt: prose(member(meta, "updatedAt", "updated_at"), 40),
      status: status === "active" ? undefined : status,
    }),
    tags: tagsOf(server, packages, remotes),
    packages,
    remotes,
  };
  return { entry, latest: member(meta, "isLatest", "is_latest") === true };
}

/** Tags: those of the publisher, and those derived from how the server is run. */
export function tagsOf(
  server: unknown,
  packages: readonly { kind: string }[],
  remotes: readonly { transport: string }[],
): string[] {
  const published = member(member(server, "_meta"), PUBLISHED);
  const stated = [server, published].flatMap((one) => [
    ...list(member(one, "tags")),
    ...list(member(one, "keywords")),
    ...list(member(one, "categories")),
  ]);
  const words = [...stated.map((word) => prose(word, 40)?.toLowerCase()), ...packages.map(({ kind }) => kind)];
  if (remotes.length > 0) words.push("remote");
  return [...new Set(words.filter((word) => word !== undefined && word !== ""))].slice(0, 32) as string[];
}

function readPackage(value: unknown): Package {
  const text = (...names: string[]) => exact(member(value, ...names), 512);
  return {
    kind: (text("registryType", "registry_type", "registry_name") ?? "").toLowerCase(),
    identifier: text("identifier", "name") ?? "",
    ...present({
      version: text("version"),
      base: text("registryBaseUrl", "registry_base_url"),
    }),
    transport: exact(member(member(value, "transport"), "type"), 40) ?? "stdio",
    runtimeArgs: list(member(value, "runtimeArguments", "runtime_arguments")).map(readArgument),
    args: list(member(value, "packageArguments", "package_arguments")).map(readArgument),
    env: list(member(value, "environmentVariables", "environment_variables")).map((one) =>
      readInput(one, isSecretVariable),
    ),
  };
}

function readRemote(value: unknown): Remote {
  return {
    transport: exact(member(value, "type", "transport_type", "transport"), 40) ?? "",
    url: exact(member(value, "url"), 2048) ?? "",
    headers: list(member(value, "headers")).map((one) => readInput(one, isSecretHeader)),
    variables: readVariables(member(value, "variables"), 0),
  };
}

function readArgument(value: unknown, index: number): Argument {
  const named = member(value, "type") === "named";
  const flag = named ? (exact(member(value, "name"), 200) ?? "") : undefined;
  const hint = exact(member(value, "valueHint", "value_hint"), 200);
  const input = readInput(
    value,
    isSecretVariable,
    hint ?? flag?.replace(/^-+/, "") ?? exact(member(value, "name"), 200) ?? `argument-${index + 1}`,
  );
  const asks = ["valueHint", "value_hint", "placeholder", "default", "choices", "value"].some(
    (name) => member(value, name) !== undefined,
  );
  const bare = named && !asks && !input.required && !input.secret;
  return { ...input, ...(flag !== undefined && { flag }), ...(bare && { bare }) };
}

/** @param secret whether a name alone marks its value as secret */
function readInput(value: unknown, secret: (name: string) => boolean, named?: string, depth = 0): Input {
  const name = named ?? exact(member(value, "name"), 200) ?? "";
  const choices = list(member(value, "choices")).flatMap((one) => exact(one, 512) ?? []);
  return {
    name,
    description: prose(member(value, "description"), 500) ?? "",
    required: member(value, "isRequired", "is_required") === true,
    secret: member(value, "isSecret", "is_secret") === true || secret(name.replace(/^-+/, "")),
    ...present({
      value: nonEmpty(exact(member(value, "value"))),
      default: exact(member(value, "default")),
      choices: choices.length > 0 ? choices : undefined,
      format: exact(member(value, "format"), 40),
    }),
    variables: depth < MAX_DEPTH ? readVariables(member(value, "variables"), depth + 1) : [],
  };
}

function readVariables(value: unknown, depth: number): Input[] {
  return Object.entries(object(value))
    .slice(0, 32)
    .filter(([name]) => /^[\w.-]{1,64}$/.test(name))
    .map(([name, one]) => readInput(one, isSecretVariable, name, depth));
}

const nonEmpty = (text: string | undefined) => (text === "" ? undefined : text);
