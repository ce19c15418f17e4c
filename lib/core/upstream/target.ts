import { statSync } from "node:fs";
import { PROXY_VARIABLES } from "../base/egress/proxy-for.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import { childEnvironment, type Inheritance, withShortNpmRetries } from "../config/child-environment.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { isLaunchedHttpServer } from "../config/launched-http-server.ts";
import { isSecretHeader, isSecretVariable } from "../secrets/mask/names.ts";
import { scrubText } from "../secrets/mask/text.ts";
import { fixedMask, hideValues, secretValuesIn } from "../secrets/mask/values.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { UpstreamAuthorization } from "./authorization.ts";
import { hasConfiguredCredentials } from "./configured-credentials.ts";
import { MissingSecret, UpstreamError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/**
 * Where an upstream is and how it is reached, with every reference replaced by its value. Made anew for each attempt.
 */
export interface UpstreamTarget {
  /** The transports to try, in order. */
  readonly kinds: readonly Transport["kind"][];
  /**
   * The program to start. With a URL, the program listens there; without one, its pipes are used. Empty if there is
   * none.
   */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * The part of the environment that the server's entry and the general settings declare, without inherited variables.
   */
  readonly declaredEnv: Readonly<Record<string, string>>;
  /** The environment of this process, which names the forward proxy and the certificate authorities of this machine. */
  readonly systemEnv: Readonly<Record<string, string | undefined>>;
  readonly workingDir: string | undefined;
  readonly url: URL | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Provides the authorization of a sign-in, for each request; absent if the entry has its own Authorization header.
   */
  readonly bearer?: UpstreamAuthorization;
  /** Replaces every secret of the definition in a text of the server, so that the text can be logged or shown. */
  mask(text: string): string;
  /**
   * Replaces the secrets of the definition in a listed tool by a fixed text. Values of references that are ordinary
   * settings, such as a region or a folder, stay, because models need them to use the tool.
   */
  maskTool(text: string): string;
}

/**
 * The members of a server's entry that decide what is run or contacted, and with which credentials. If one of them
 * changes, a new connection is needed, and trust in the old definition does not apply to the new one.
 */
export const LAUNCH_DEFINITION_MEMBERS = [
  "protocol",
  "command",
  "args",
  "working_dir",
  "env",
  "url",
  "headers",
  "oauth",
  "isolation",
] as const satisfies readonly (keyof ServerConfig)[];

/** Returns those members as one text; if it changes, a new connection is needed. */
export function launchDefinition(server: ServerConfig): string {
  return JSON.stringify(LAUNCH_DEFINITION_MEMBERS.map((member) => server[member]));
}

interface ChildEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inheritance: Inheritance;
}

/**
 * Resolves references at the moment of use (spec 000 §2.9 rule 2).
 *
 * @throws MissingSecret
 * @throws UpstreamError if the definition cannot work
 */
export async function resolveTarget(
  server: ServerConfig,
  secrets: Secrets,
  around: ChildEnvironment,
  bearerFor?: (url: URL) => UpstreamAuthorization,
): Promise<UpstreamTarget> {
  const kinds = kindsOf(server);
  /** The values of references, and whether each is a secret rather than an ordinary setting. */
  const values = new Map<string, boolean>();
  const resolve = (text: string, secretPlace = false) =>
    resolveText(text, secrets, (reference, value) => {
      const secret = secretPlace || values.get(value) === true || isSecretReference(reference, value);
      values.set(value, secret);
    });
  const resolveMap = async (map: Readonly<Record<string, string>> = {}, isSecret: (name: string) => boolean) => {
    const out: Record<string, string> = {};
    for (const [key, value] of Object.entries(map)) out[key] = await resolve(value, isSecret(key));
    return out;
  };
  const stdio = kinds[0] === "stdio";
  const starts = stdio || isLaunchedHttpServer(server);
  const url = stdio ? undefined : urlOf(await resolve(server.url ?? ""));
  const declaredEnv = starts ? await resolveMap(server.env, isSecretVariable) : {};
  const workingDir = starts && server.working_dir ? folder(await resolve(server.working_dir)) : undefined;
  const inClear = [
    ...secretValuesIn(server),
    ...secretValuesIn({ env: around.inheritance.custom_vars }),
    ...proxyCredentials(around.env),
  ];
  const command = starts ? await resolve(server.command ?? "") : "";
  const target = {
    kinds,
    command,
    args: starts ? await Promise.all((server.args ?? []).map((arg) => resolve(arg))) : [],
    env: starts ? withShortNpmRetries(command, childEnvironment(around.env, around.inheritance, declaredEnv)) : {},
    declaredEnv: { ...around.inheritance.custom_vars, ...declaredEnv },
    systemEnv: around.env,
    workingDir,
    url,
    headers: stdio ? {} : await resolveMap(server.headers, isSecretHeader),
  };
  // This must be last, when every reference has been resolved.
  const known = [...values.keys()].filter((value) => value.length >= MASKED_FROM);
  const hide = hideValues([...known, ...inClear]);
  const secret = [...known.filter((value) => values.get(value)), ...inClear];
  const hideInTool = hideValues(secret.filter(isMaskedInTools), fixedMask);
  if (!url || !bearerFor || hasConfiguredCredentials(server, url))
    return { ...target, mask: hide, maskTool: hideInTool };
  return { ...target, ...maskingTokens(new ShownTokens(bearerFor(url)), hide, hideInTool) };
}

/** Returns the passwords in the URLs of forward proxies, which every child process inherits. */
function proxyCredentials(env: ChildEnvironment["env"]): string[] {
  const named = PROXY_VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return secretValuesIn({ env: Object.fromEntries(named) });
}

/** True for a reference to the keyring, or to a variable whose name or content indicates a secret. */
function isSecretReference(reference: string, value: string): boolean {
  const name = /^\$\{env:(.*)\}$/s.exec(reference)?.[1];
  return name === undefined || isSecretVariable(name) || scrubText(value) !== value || RANDOM.test(value);
}

/** Letters and digits, without white space and path separators. */
const RANDOM = /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[^\s/\\]{16,}$/;

/**
 * True if a value is replaced in tools. Replacing short values, and words that schemas use, would damage definitions
 * that contain no secret.
 */
function isMaskedInTools(value: string): boolean {
  return value.length >= MASKED_IN_TOOLS_FROM && !SCHEMA_WORDS.includes(value);
}

const MASKED_IN_TOOLS_FROM = 6;
const SCHEMA_WORDS =
  "properties required description additionalProperties patternProperties unevaluatedProperties string number integer boolean object format pattern default examples minimum maximum minLength maxLength minItems maxItems uniqueItems readOnlyHint destructiveHint idempotentHint openWorldHint mimeType";

/** Separate from `resolveTarget`, because closures that are made there would keep all of its variables in memory. */
function maskingTokens(tokens: ShownTokens, hide: (text: string) => string, hideInTool: (text: string) => string) {
  return {
    bearer: tokens,
    mask: (text: string) => tokens.hide(hide(text)),
    maskTool: (text: string) => tokens.hideInTool(hideInTool(text)),
  };
}

/** Adds the latest access tokens to the secrets that are masked, because the server may repeat one in an error. */
class ShownTokens implements UpstreamAuthorization {
  /** Replaces the tokens in a text. */
  hide = hideValues([]);
  /** Replaces the tokens in a text of a tool. */
  hideInTool = this.hide;
  private readonly bearer: UpstreamAuthorization;
  private latest: readonly string[] = [];

  constructor(bearer: UpstreamAuthorization) {
    this.bearer = bearer;
  }

  header(): ReturnType<UpstreamAuthorization["header"]> {
    const header = this.bearer.header();
    return header instanceof Promise ? header.then((shown) => this.learn(shown)) : this.learn(header);
  }

  handleRefusal(...refusal: Parameters<UpstreamAuthorization["handleRefusal"]>) {
    return this.bearer.handleRefusal(...refusal);
  }

  missingScopes(...refusal: Parameters<UpstreamAuthorization["missingScopes"]>) {
    return this.bearer.missingScopes(...refusal);
  }

  private learn(header: string | undefined): string | undefined {
    if (header === undefined || header === this.latest[0]) return header;
    this.latest = [header, ...this.latest].slice(0, 2);
    const tokens = secretValuesIn({
      headers: Object.fromEntries(this.latest.map((value, i) => [`${i}-authorization`, value])),
    });
    this.hide = hideValues(tokens);
    this.hideInTool = hideValues(tokens, fixedMask);
    return header;
  }
}

/**
 * Returns the transports to try. `auto` and `http` try streamable HTTP first and then HTTP+SSE. A command without a URL
 * uses its pipes.
 */
function kindsOf(server: ServerConfig): Transport["kind"][] {
  const { protocol = "auto", command, url } = server;
  if (protocol === "stdio" || (protocol === "auto" && command && !url)) {
    if (!command) throw new UpstreamError("its entry has no command; set one, or a url");
    return ["stdio"];
  }
  if (!url) throw new UpstreamError(`its entry has ${protocol === "auto" ? "neither command nor url" : "no url"}`);
  if (protocol === "sse") return ["sse"];
  return protocol === "streamable-http" ? ["http"] : ["http", "sse"];
}

const REFERENCE = /\$\{(?:env|keyring):[^}]*\}/g;

async function resolveText(
  text: string,
  secrets: Secrets,
  learn: (reference: string, value: string) => void,
): Promise<string> {
  const references = text.match(REFERENCE);
  if (!references) return text;
  const known = new Map<string, string>();
  for (const reference of references) {
    try {
      known.set(reference, await secrets.resolve(reference));
    } catch (error) {
      if (error instanceof Fault && error.code === "secret_missing")
        throw new MissingSecret(reference, { cause: error });
      throw error;
    }
  }
  for (const [reference, value] of known) learn(reference, value);
  return text.replace(REFERENCE, (reference) => known.get(reference) ?? "");
}

/** Shorter values are not masked, because they occur in ordinary words. */
const MASKED_FROM = 4;

function folder(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory())
    throw new UpstreamError(`working_dir ${path} is not a folder`, { failureCause: "no_working_dir" });
  return path;
}

function urlOf(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw new UpstreamError(`its url is not a valid URL (${reasonOf(error)})`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UpstreamError(`its url has the scheme ${url.protocol}, but http: or https: is required`);
  return url;
}
