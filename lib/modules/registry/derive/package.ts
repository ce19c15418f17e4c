import type { Input, Package } from "../entry.ts";
import { argumentWords } from "./argument-words.ts";
import { type InputLookup, textOf } from "./fill.ts";
import { imageArguments, isImage, pinnedImage } from "./image.ts";
import type { InstallHost, Recipe } from "./recipe.ts";

/** The rules for naming, pinning and running packages of one kind. */
interface Kind {
  readonly program: string;
  readonly identifier: RegExp;
  /** Matches one version, not a range or a tag such as `latest`. */
  readonly version: RegExp;
  /** Matches the package registries that the program uses by default. */
  readonly base: RegExp;
  /** Harmless options of the program that an entry may use. */
  readonly allowed: readonly string[];
  command(identifier: string, version: string): string[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  npm: {
    program: "npx",
    identifier: /^(?:@[a-z0-9][a-z0-9._~-]*\/)?[a-zA-Z0-9][\w.~-]*$/,
    version: /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/,
    base: /^https:\/\/registry\.npmjs\.org\/?$/,
    allowed: ["-y", "--yes", "-q", "--quiet"],
    command: (identifier, version) => ["-y", `${identifier}@${version}`],
  },
  pypi: {
    program: "uvx",
    identifier: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    version: /^(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?(?:a|b|c|rc|alpha|beta|pre|post|dev)[._-]?\d*)*(?:\+[0-9A-Za-z.]+)?$/i,
    base: /^https:\/\/pypi\.org(?:\/simple)?\/?$/,
    allowed: ["-q", "--quiet"],
    command: (identifier, version) => [`${identifier}@${version}`],
  },
  nuget: {
    program: "dnx",
    identifier: /^[A-Za-z0-9_][\w.-]*$/,
    version: /^\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/,
    base: /^https:\/\/(?:api|www)\.nuget\.org(?:\/v3(?:\/index\.json)?)?\/?$/,
    allowed: ["--yes", "-y"],
    command: (identifier, version) => [`${identifier}@${version}`, "--yes", "--"],
  },
};

/** Renders the command that runs a package. @throws Error with the reason if it cannot be run */
export function packageRecipe(one: Package, lookUp: InputLookup, host: InstallHost): Recipe {
  const { kind, identifier, version, transport } = one;
  if (transport !== "stdio") throw new Error(`the ${kind} package uses ${transport}, not stdio`);
  const env = variables(one.env, lookUp);
  const args = one.args.flatMap((argument) => argumentWords(argument, lookUp));
  if (kind === "oci") {
    if (!isImage(identifier)) throw new Error(`"${identifier}" is not a valid image name`);
    const image = pinnedImage(one);
    const options = imageArguments(one.runtimeArgs, lookUp);
    const passed = Object.keys(env).flatMap((name) => ["-e", name]);
    return { kind, command: host.engine, args: ["run", "-i", "--rm", ...options, ...passed, image, ...args], env };
  }
  const rules = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!rules) throw new Error(`the proxy cannot run packages of type "${kind}"`);
  if (identifier.length > 214 || !rules.identifier.test(identifier))
    throw new Error(`"${identifier}" is not a valid name of a package of type ${kind}`);
  if (version === undefined || version.length > 100 || !rules.version.test(version))
    throw new Error(
      version === undefined
        ? `it names no version of ${identifier}; the proxy only runs pinned versions`
        : `"${version}" is not a single version of ${identifier}; the proxy only runs pinned versions`,
    );
  if (one.base !== undefined && !rules.base.test(one.base))
    throw new Error(`${identifier} comes from ${one.base}, which ${rules.program} does not use`);
  for (const option of one.runtimeArgs.flatMap((argument) => argumentWords(argument, lookUp)))
    if (!rules.allowed.includes(option))
      throw new Error(`it passes "${option}" to ${rules.program}, which the proxy does not accept from a registry`);
  return { kind, command: rules.program, args: [...rules.command(identifier, version), ...args], env };
}

/**
 * Variables that select the program, the origin of packages, or what is loaded with them: with one of these, an entry
 * for a well-known package could run another one.
 */
const STEERING =
  /^(?:PATH|HOME|SHELL|IFS|ENV|BASH_ENV|USERPROFILE|APPDATA|COMSPEC|PATHEXT|SSL_CERT_(?:FILE|DIR)|LD_.*|DYLD_.*|NODE_.*|NPM_.*|YARN_.*|UV_.*|PIP_.*|PYTHON.*|VIRTUAL_ENV|DOTNET_.*|NUGET_.*|CORECLR_.*|DOCKER_.*|CONTAINER_.*|PODMAN_.*|GIT_.*|(?:HTTPS?|ALL|NO)_PROXY|PERL5.*|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/i;
/** Exceptions: variables that match, but only change a program's own behaviour. */
const HARMLESS = /^(?:NODE_ENV|PYTHONUNBUFFERED|PYTHONIOENCODING|PYTHONUTF8|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL))$/i;

function variables(inputs: readonly Input[], lookUp: InputLookup): Record<string, string> {
  const env: Record<string, string> = {};
  for (const input of inputs) {
    const { name } = input;
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`"${name}" is not a valid name of an environment variable`);
    if (STEERING.test(name) && !HARMLESS.test(name))
      throw new Error(`it sets ${name}, which could run another program instead of the package`);
    const value = textOf(input, lookUp);
    if (value !== undefined) env[name] = value;
  }
  return env;
}
