import { existsSync, readFileSync } from "node:fs";
import { Fault } from "../core/base/fault.ts";
import { isLoopback, joinHost, parseHost } from "../core/base/host-port.ts";
import { isJsonObject } from "../core/base/json-object.ts";
import { socketPath, socketPathExcess } from "../core/base/socket-path.ts";
import { certsFolder, configPath, dataFolder } from "../core/config/paths.ts";
import { certFiles, clientFiles, OWN_CLIENT } from "../modules/tls/files.ts";
import type { ProxyTarget } from "./http.ts";
import type { Trust } from "./trust.ts";

/** The user's choice of a proxy. */
interface ProxyLocation {
  url?: string | undefined;
  apiKey?: string | undefined;
  config?: string | undefined;
  dataDir?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Locates the proxy: the given URL, otherwise the socket of the data directory or, if the socket is disabled, the
 * configured address with the configured key. A key from the file is never sent to another machine. For https, the
 * authority in the data directory is trusted, and one that SERVICE_CA_CERT names.
 *
 * @throws Fault invalid_args for an invalid URL
 */
export function findProxy({ url, apiKey, config, dataDir, env }: ProxyLocation): ProxyTarget {
  const wishes = { path: config, dataDir, env };
  const path = configPath(wishes);
  const givenKey = apiKey || env.SERVICE_API_KEY;
  const givenUrl = url || env.SERVICE_URL;
  const file = inFile(path);
  const folder = dataFolder(wishes, file.data_dir);
  const at = (to: URL, key: string | undefined): ProxyTarget => ({
    url: to,
    ...(key !== undefined && { key }),
    ...(to.protocol === "https:" && {
      trust: trustOf(certsIn(folder, file, env), env),
    }),
  });
  if (givenUrl) {
    const to = parseUrl(givenUrl);
    return at(to, givenKey || (isLoopback(to.hostname.replace(/^\[|\]$/g, "")) ? text(file.api_key) : undefined));
  }
  const socket = socketPath(folder);
  const off = file.enable_socket === false || socketPathExcess(socket) > 0;
  const byTls = env.SERVICE_TLS_ENABLED
    ? /^(?:true|1|yes|on)$/i.test(env.SERVICE_TLS_ENABLED)
    : tlsIn(file).enabled === true;
  if (off && !existsSync(socket))
    return at(listening(byTls ? "https" : "http", text(file.listen)), givenKey || text(file.api_key));
  return { socketPath: socket };
}

/** The folder of the certificates of the selected proxy on this machine. */
export function certsOf({ config, dataDir, env }: Omit<ProxyLocation, "url" | "apiKey">): string {
  const wishes = { path: config, dataDir, env };
  const file = inFile(configPath(wishes));
  return certsIn(dataFolder(wishes, file.data_dir), file, env);
}

const tlsIn = ({ tls }: Record<string, unknown>) => (isJsonObject(tls) ? tls : {});
const certsIn = (folder: string, file: Record<string, unknown>, env: ProxyLocation["env"]) =>
  certsFolder(folder, env.SERVICE_CERTS_DIR || tlsIn(file).certs_dir, env);

function trustOf(dir: string, env: ProxyLocation["env"]): Trust {
  const ownFiles = clientFiles(dir, OWN_CLIENT);
  const file = (variable: string, usual: string) =>
    env[variable] ? { path: env[variable], named: variable } : { path: usual };
  return {
    ca: file("SERVICE_CA_CERT", certFiles(dir).ca),
    cert: file("SERVICE_CLIENT_CERT", ownFiles.cert),
    key: file("SERVICE_CLIENT_KEY", ownFiles.key),
  };
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new Fault("invalid_args", { reason: `"${url}" is not an address of a proxy; use the form http://host:port` });
}

/** The URL on this machine of a daemon with this `listen`. */
function listening(scheme: string, listen = "127.0.0.1:8080"): URL {
  const at = parseHost(listen.startsWith(":") ? `localhost${listen}` : listen);
  const host = at === undefined || /^(0\.0\.0\.0|\[?::\]?)$/.test(at.host) ? "127.0.0.1" : at.host;
  return new URL(`${scheme}://${joinHost(host, at?.port ?? 8080)}`);
}

/** Reads the file for hints only; the daemon reports its errors. */
function inFile(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8").replace("\uFEFF", ""));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
