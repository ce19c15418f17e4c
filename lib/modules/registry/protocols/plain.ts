import { isSecretVariable } from "../../../core/secrets/mask/names.ts";
import type { Input, Package, Remote } from "../entry.ts";
import { address, exact, isId, listOf, memberOf, present, prose } from "../read.ts";
import { type Found, officialEntry, tagsOf } from "./official.ts";

/**
 * Reads one item of a plain list. Hand-written lists and most web catalogues use various names for the same members:
 * the name, the URL, or the start command. An item in the official format is read as such.
 */
export function plainEntry(item: unknown): Found | undefined {
  if (memberOf(item, "server", "packages", "remotes") !== undefined) return officialEntry(item);
  const id = [memberOf(item, "id"), memberOf(item, "name"), memberOf(item, "slug")].find(isId);
  if (id === undefined) return undefined;
  const packages = packagesOf(item);
  const remotes = remotesOf(item);
  return {
    latest: false,
    entry: {
      id,
      name: prose(memberOf(item, "title", "name"), 200) ?? id,
      description: prose(memberOf(item, "description", "short_description", "shortDescription"), 2000) ?? "",
      ...present({
        version: exact(memberOf(item, "version"), 255),
        url: address(memberOf(item, "homepage", "website", "external_url")),
        source: address(memberOf(item, "source_code_url", "sourceCodeUrl", "repository_url", "github_url")),
        createdAt: prose(memberOf(item, "created_at", "createdAt"), 40),
        updatedAt: prose(memberOf(item, "updated_at", "updatedAt", "modifiedAt"), 40),
      }),
      tags: tagsOf(item, packages, remotes),
      packages,
      remotes,
    },
  };
}

function remotesOf(item: unknown): Remote[] {
  const address = exact(memberOf(item, "connect_url", "connectUrl", "mcp_url", "endpoint", "url"), 2048);
  if (address === undefined || !/^https?:\/\//.test(address)) return [];
  const { text, variables } = placeholders(address);
  return [{ transport: /\/sse\/?$/.test(address) ? "sse" : "streamable-http", url: text, headers: [], variables }];
}

const KINDS: Readonly<Record<string, string>> = { npx: "npm", uvx: "pypi", docker: "oci", podman: "oci", dnx: "nuget" };

/** Reads packages from their own members, or from the start command. */
function packagesOf(item: unknown): Package[] {
  const identifier = exact(memberOf(item, "package_name", "packageName"), 512);
  const kind = exact(memberOf(item, "package_registry", "packageRegistry"), 40)?.toLowerCase();
  const base = { transport: "stdio", runtimeArgs: [], env: [] };
  if (identifier !== undefined && kind !== undefined) {
    const version = exact(memberOf(item, "package_version", "packageVersion", "version"), 255);
    return [{ ...base, kind, identifier, ...present({ version }), args: [] }];
  }
  const line = exact(memberOf(item, "install_cmd", "installCmd", "command"), 4096)?.trim();
  if (!line) return [];
  // A list of arguments is used as it is; a command line is split at spaces and never passed to a shell.
  const [program = "", ...words] = [
    ...line.split(/\s+/),
    ...listOf(memberOf(item, "args")).map((one) => exact(one) ?? ""),
  ];
  const at = words.findIndex((word) => !/^(?:-y|--yes|-i|--rm|run|--)$/.test(word));
  const kindOfProgram = Object.hasOwn(KINDS, program) ? KINDS[program]! : program;
  const { identifier: name, version } = pinned(words[at] ?? "", kindOfProgram);
  const args = words.slice(at + 1).map((word) => {
    const { text, variables } = placeholders(word);
    return { ...fixed("argument", text), variables };
  });
  const env = Object.entries(memberOf(item, "env") ?? {}).slice(0, 64);
  return [
    {
      ...base,
      kind: kindOfProgram,
      identifier: name,
      ...present({ version }),
      args,
      env: env.map(([key, value]) => {
        const { text, variables } = placeholders(exact(value) ?? "");
        return text === "" ? input(key) : { ...fixed(key, text), variables };
      }),
    },
  ];
}

const input = (name: string): Input => ({
  name,
  description: "",
  required: true,
  secret: isSecretVariable(name),
  variables: [],
});

function fixed(name: string, value: string): Input {
  return { name, description: "", required: false, secret: isSecretVariable(name), value, variables: [] };
}

/** Parses `@scope/name@1.0.0`, `name==1.0.0` or `image:tag`. */
function pinned(word: string, kind: string): { identifier: string; version?: string } {
  if (kind === "oci") return { identifier: word };
  const [, identifier = word, version] = /^(.+?)(?:==|@)([^@/]+)$/.exec(word) ?? [];
  return version === undefined ? { identifier } : { identifier, version };
}

/** Converts the placeholders `${NAME}` and `$NAME` to those of the official format. Secret references are kept. */
function placeholders(text: string): { text: string; variables: Input[] } {
  const variables = new Map<string, Input>();
  const replaced = text.replace(
    /\$(?:\{([A-Za-z_]\w{0,63})\}|([A-Za-z_]\w{0,63}))/g,
    (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? "";
      variables.set(name, input(name));
      return `{${name}}`;
    },
  );
  return { text: replaced, variables: [...variables.values()] };
}
