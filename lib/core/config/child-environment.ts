import type { InferOutput } from "valibot";
import { PROXY_VARIABLES } from "../base/egress/proxy-for.ts";
import type { Environment } from "./block-schemas.ts";

/** The block `environment` of the configuration, which decides what child processes inherit. */
export type Inheritance = Readonly<
  Pick<InferOutput<typeof Environment>, "inherit_system_safe" | "allowed_system_vars" | "custom_vars">
>;

/**
 * Variables that name certificate authorities, or the files that contain them. Their values are paths and flags, not
 * secrets.
 */
export const AUTHORITY_VARIABLES: readonly string[] = (
  "SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA REQUESTS_CA_BUNDLE CURL_CA_BUNDLE " +
  "PIP_CERT UV_SYSTEM_CERTS UV_NATIVE_TLS GIT_SSL_CAINFO CARGO_HTTP_CAINFO AWS_CA_BUNDLE DENO_CERT DENO_TLS_CA_STORE " +
  "npm_config_cafile NPM_CONFIG_CAFILE"
).split(" ");

/**
 * Variables that a program needs to find its files, use the right language and reach the internet. The URL of a forward
 * proxy may contain a password, which is masked in everything that the child process writes. (reference 4.5)
 */
export const SYSTEM_VARIABLES: readonly string[] = (
  "PATH HOME TMPDIR TEMP TMP SHELL TERM LANG USER LOGNAME USERNAME TZ NODE_USE_ENV_PROXY " +
  "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) " +
  "PROGRAMW6432 COMMONPROGRAMFILES USERPROFILE HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE OS " +
  "NVM_DIR ASDF_DIR PYENV_ROOT VOLTA_HOME HOMEBREW_PREFIX COLIMA_HOME"
).split(" ");

const SAFE = new Set([...SYSTEM_VARIABLES, ...AUTHORITY_VARIABLES, ...PROXY_VARIABLES]);
export const SYSTEM_PREFIXES = ["XDG_", "LC_", "DOCKER_"];

/** Folders of programs that the short PATH of a desktop session omits. */
const USUAL_FOLDERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["/opt/homebrew/bin", "/usr/local/bin"],
  linux: ["/usr/local/bin", "/usr/bin", "/bin"],
};

/**
 * Returns the environment of a child process: the harmless variables of the proxy, those that the configuration allows
 * or adds, and those of the server's entry. It contains nothing else, so that no secret of the proxy reaches an
 * upstream.
 *
 * @param declared the `env` of the server, with resolved references
 */
export function childEnvironment(
  system: Readonly<Record<string, string | undefined>>,
  inheritance: Inheritance,
  declared: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  // On Windows the names of variables ignore letter case.
  const plain = (name: string) => (platform === "win32" ? name.toUpperCase() : name);
  const allowed = new Set(inheritance.allowed_system_vars.map(plain));
  const safe = (name: string) =>
    inheritance.inherit_system_safe && (SAFE.has(name) || SYSTEM_PREFIXES.some((p) => name.startsWith(p)));
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(system))
    if (value !== undefined && (safe(plain(name)) || allowed.has(plain(name)))) out[name] = value;
  if (inheritance.inherit_system_safe) addFolders(out, USUAL_FOLDERS[platform] ?? []);
  return Object.assign(out, inheritance.custom_vars, declared);
}

/** How long npm waits before it repeats a failed request (ms). */
const NPM_RETRIES = { npm_config_fetch_retry_mintimeout: "1000", npm_config_fetch_retry_maxtimeout: "5000" };
const NPM = /(?:^|[\\/])p?np[mx](?:\.cmd|\.exe)?$/i;

/**
 * Returns the environment of a server that npm downloads and starts. By default npm repeats a failed request for more
 * than a minute before it prints the reason, such as an untrusted certificate; by then the start has timed out.
 */
export function withShortNpmRetries(command: string, env: Readonly<Record<string, string>>): Record<string, string> {
  if (!NPM.test(command)) return env;
  const given = new Set(Object.keys(env).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(NPM_RETRIES).filter(([name]) => !given.has(name))), ...env };
}

function addFolders(env: Record<string, string>, folders: readonly string[]): void {
  const path = (env.PATH ?? "").split(":").filter(Boolean);
  env.PATH = [...path, ...folders.filter((folder) => !path.includes(folder))].join(":");
}
