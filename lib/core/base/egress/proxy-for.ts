import { isIP } from "node:net";
import { cidrSet, isCidr } from "../cidr.ts";
import { isHostListed, isLoopback } from "../host-port.ts";

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** Environment variables that name the forward proxy, in both spellings, because programs read either. */
export const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [
  name.toLowerCase(),
  name,
]);

export interface HttpProxy {
  /** The environment variable that names the proxy. */
  readonly variable: string;
  /** The proxy's URL without user and password. */
  readonly origin: string;
  /** The value of the `Proxy-Authorization` header. */
  readonly authorization: string | undefined;
}

/** An environment variable whose proxy cannot be used. */
interface UnusableProxy {
  readonly variable: string;
  readonly reason: string;
}

/**
 * Returns the forward proxy that the environment names for a URL; undefined if the connection is direct. This machine
 * is always reached directly. A setting that cannot be used is ignored; `unusableProxies` lists it.
 */
export function proxyFor(url: URL, env: ProcessEnvironment): HttpProxy | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (isLoopback(host) || host.endsWith(".localhost") || isExcluded(host, port, env)) return undefined;
  for (const name of url.protocol === "https:" ? ["https_proxy", "all_proxy"] : ["http_proxy", "all_proxy"]) {
    const found = settingOf(name, env);
    const proxy = found && read(found);
    if (proxy && "origin" in proxy) return proxy;
  }
  return undefined;
}

/** Lists the variables whose proxy is ignored, and why. */
export function unusableProxies(env: ProcessEnvironment): UnusableProxy[] {
  return ["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => {
    const found = settingOf(name, env);
    const proxy = found && read(found);
    return proxy && "reason" in proxy ? [proxy] : [];
  });
}

interface Setting {
  readonly variable: string;
  readonly value: string;
}

/** The lower-case variable takes precedence, as in curl. */
function settingOf(lower: string, env: ProcessEnvironment): Setting | undefined {
  for (const variable of [lower, lower.toUpperCase()]) {
    const value = env[variable]?.trim();
    if (value) return { variable, value };
  }
  return undefined;
}

function read({ variable, value }: Setting): HttpProxy | UnusableProxy {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text)) return { variable, reason: "it contains no address; set it to http://host:port" };
  const { protocol, origin, username, password, hostname } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:")
    return {
      variable,
      reason: `it names a proxy with the scheme ${protocol}//, but only http:// and https:// are supported`,
    };
  if (hostname === "") return { variable, reason: "it names no host; set it to http://host:port" };
  const pair = `${plain(username)}:${plain(password)}`;
  const authorization = username || password ? `Basic ${Buffer.from(pair).toString("base64")}` : undefined;
  return { variable, origin, authorization };
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `NO_PROXY`: hosts (with their subdomains), `host:port`, addresses, networks, or `*`. */
function isExcluded(host: string, port: number, env: ProcessEnvironment): boolean {
  const entries = (settingOf("no_proxy", env)?.value ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (entries.includes("*")) return true;
  const networks = entries.filter(isCidr);
  if (isIP(host) && cidrSet(networks)(host)) return true;
  const names = entries.filter((entry) => !networks.includes(entry)).map((entry) => entry.replace(/^\*\./, "."));
  return isHostListed(host, port, [...names, ...names.filter((name) => /^[a-z]/.test(name)).map((name) => `.${name}`)]);
}
