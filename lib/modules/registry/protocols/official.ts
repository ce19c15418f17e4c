import { isSecretHeader, isSecretVariable } from "../../../core/secrets/mask/names.ts";
import type { Argument, Entry, Input, Package, Remote } from "../entry.ts";
import { address, exact, isId, listOf, memberOf, objectOf, present, prose } from "../read.ts";

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
  const server = memberOf(item, "server") ?? item;
  const id = memberOf(server, "name", "id");
  if (!isId(id)) return undefined;
  const meta = objectOf(memberOf(memberOf(item, "_meta") ?? memberOf(server, "_meta"), OFFICIAL));
  const status = prose(memberOf(meta, "status") ?? memberOf(server, "status"), 40);
  const packages = listOf(memberOf(server, "packages"), 20).map(readPackage);
  const remotes = listOf(memberOf(server, "remotes"), 20).map(readRemote);
  const entry: Entry = {
    id,
    name: prose(memberOf(server, "title"), 200) ?? id,
    description: prose(memberOf(server, "description"), 2000) ?? "",
    ...present({
      version: exact(memberOf(server, "version"), 255),
      url: address(memberOf(server, "websiteUrl", "website_url", "homepage")),
      source: address(memberOf(memberOf(server, "repository"), "url")),
      createdAt: prose(memberOf(meta, "publishedAt", "published_at"), 40),
      updatedAt: prose(memberOf(meta, "updatedAt", "updated_at"), 40),
      status: status === "active" ? undefined : status,
    }),
    tags: tagsOf(server, packages, remotes),
    packages,
    remotes,
  };
  return { entry, latest: memberOf(meta, "isLatest", "is_latest") === true };
}

/** Tags: those of the publisher, and those derived from how the server is run. */
export function tagsOf(
  server: unknown,
  packages: readonly { kind: string }[],
  remotes: readonly { transport: string }[],
): string[] {
  const published = memberOf(memberOf(server, "_meta"), PUBLISHED);
  const stated = [server, published].flatMap((one) => [
    ...listOf(memberOf(one, "tags")),
    ...listOf(memberOf(one, "keywords")),
    ...listOf(memberOf(one, "categories")),
  ]);
  const words = [...stated.map((word) => prose(word, 40)?.toLowerCase()), ...packages.map(({ kind }) => kind)];
  if (remotes.length > 0) words.push("remote");
  return [...new Set(words.filter((word) => word !== undefined && word !== ""))].slice(0, 32) as string[];
}

function readPackage(value: unknown): Package {
  const text = (...names: string[]) => exact(memberOf(value, ...names), 512);
  return {
    kind: (text("registryType", "registry_type", "registry_name") ?? "").toLowerCase(),
    identifier: text("identifier", "name") ?? "",
    ...present({
      version: text("version"),
      base: text("registryBaseUrl", "registry_base_url"),
    }),
    transport: exact(memberOf(memberOf(value, "transport"), "type"), 40) ?? "stdio",
    runtimeArgs: listOf(memberOf(value, "runtimeArguments", "runtime_arguments")).map(readArgument),
    args: listOf(memberOf(value, "packageArguments", "package_arguments")).map(readArgument),
    env: listOf(memberOf(value, "environmentVariables", "environment_variables")).map((one) =>
      readInput(one, isSecretVariable),
    ),
  };
}

function readRemote(value: unknown): Remote {
  return {
    transport: exact(memberOf(value, "type", "transport_type", "transport"), 40) ?? "",
    url: exact(memberOf(value, "url"), 2048) ?? "",
    headers: listOf(memberOf(value, "headers")).map((one) => readInput(one, isSecretHeader)),
    variables: readVariables(memberOf(value, "variables"), 0),
  };
}

function readArgument(value: unknown, index: number): Argument {
  const named = memberOf(value, "type") === "named";
  const flag = named ? (exact(memberOf(value, "name"), 200) ?? "") : undefined;
  const hint = exact(memberOf(value, "valueHint", "value_hint"), 200);
  const input = readInput(
    value,
    isSecretVariable,
    hint ?? flag?.replace(/^-+/, "") ?? exact(memberOf(value, "name"), 200) ?? `argument-${index + 1}`,
  );
  const asks = ["valueHint", "value_hint", "placeholder", "default", "choices", "value"].some(
    (name) => memberOf(value, name) !== undefined,
  );
  const bare = named && !asks && !input.required && !input.secret;
  return { ...input, ...(flag !== undefined && { flag }), ...(bare && { bare }) };
}

/** @param secret whether a name alone marks its value as secret */
function readInput(value: unknown, secret: (name: string) => boolean, named?: string, depth = 0): Input {
  const name = named ?? exact(memberOf(value, "name"), 200) ?? "";
  const choices = listOf(memberOf(value, "choices")).flatMap((one) => exact(one, 512) ?? []);
  return {
    name,
    description: prose(memberOf(value, "description"), 500) ?? "",
    required: memberOf(value, "isRequired", "is_required") === true,
    secret: memberOf(value, "isSecret", "is_secret") === true || secret(name.replace(/^-+/, "")),
    ...present({
      value: nonEmpty(exact(memberOf(value, "value"))),
      default: exact(memberOf(value, "default")),
      choices: choices.length > 0 ? choices : undefined,
      format: exact(memberOf(value, "format"), 40),
    }),
    variables: depth < MAX_DEPTH ? readVariables(memberOf(value, "variables"), depth + 1) : [],
  };
}

function readVariables(value: unknown, depth: number): Input[] {
  return Object.entries(objectOf(value))
    .slice(0, 32)
    .filter(([name]) => /^[\w.-]{1,64}$/.test(name))
    .map(([name, one]) => readInput(one, isSecretVariable, name, depth));
}

const nonEmpty = (text: string | undefined) => (text === "" ? undefined : text);
