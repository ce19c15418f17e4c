import { existsSync, readFileSync } from "node:fs";
import { Fault } from "../base/fault.ts";
import { isLoopback, joinHost, parseHost } from "../base/net.ts";
import { socketPath, tooLongBy } from "../base/socket-path.ts";
import { configPath, dataFolder } from "../config/paths.ts";
import type { Target } from "./http.ts";

/** What a person said about which proxy is meant. */
export interface Whereabouts {
  url?: string | undefined;
  apiKey?: string | undefined;
  config?: string | undefined;
  dataDir?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Where the proxy is: the given url, else the socket of the data directory, else, where that is switched off, the
 * configured address with the configured key. A key from the file is never sent to another machine.
 *
 * @throws Fault invalid_args when the url is none
 */
export function find({ url, apiKey, config, dataDir, env }: Whereabouts): Target {
  const wishes = { path: config, dataDir, env };
  const path = configPath(wishes);
  const given = apiKey || env.SERVICE_API_KEY;
  const wanted = url || env.SERVICE_URL;
  if (wanted) {
    const to = parseUrl(wanted);
    return withKey(
      to,
      given || (isLoopback(to.hostname.replace(/^\[|\]$/g, "")) ? text(inFile(path).api_key) : undefined),
    );
  }
  const file = inFile(path);
  const socket = socketPath(dataFolder(wishes, file.data_dir));
  const off = file.enable_socket === false || tooLongBy(socket) > 0;
  if (off && !existsSync(socket)) return withKey(listening(text(file.listen)), given || text(file.api_key));
  return { socketPath: socket };
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new Fault("invalid_args", { reason: `"${url}" is no address of a proxy; write it as http://host:port` });
}

const withKey = (url: URL, key: string | undefined): Target => ({ url, ...(key !== undefined && { key }) });

/** Where a daemon with this `listen` answers on this machine. */
function listening(listen = "127.0.0.1:8080"): URL {
  const at = parseHost(listen.startsWith(":") ? `localhost${listen}` : listen);
  const host = at === undefined || /^(0\.0\.0\.0|\[?::\]?)$/.test(at.host) ? "127.0.0.1" : at.host;
  return new URL(`http://${joinHost(host, at?.port ?? 8080)}`);
}

/** The file is only looked into for hints here; what is wrong with it the daemon says. */
function inFile(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8").replace("\uFEFF", ""));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
