import { isIP } from "node:net";
import { isInternalAddress } from "../../../core/base/egress/address.ts";
import { isLoopback } from "../../../core/base/host-port.ts";
import type { Remote } from "../entry.ts";
import { fill, type InputLookup, textOf } from "./fill.ts";
import type { InstallHost, Recipe } from "./recipe.ts";

/** Headers that the connection sets, or that would give the request another sender. */
const REFUSED =
  /^(?:host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|accept|cookie|forwarded|x-forwarded-.*|mcp-.*|proxy-.*)$/i;

/** Renders the connection to a remote server. @throws Error with the reason if it cannot be used */
export function remoteRecipe(
  { transport, url, headers, variables }: Remote,
  lookUp: InputLookup,
  installHost: InstallHost,
): Recipe {
  const protocol = transport === "sse" ? "sse" : "streamable-http";
  if (!["sse", "streamable-http", "streamable", "http"].includes(transport))
    throw new Error(`remote servers with the transport "${transport}" are not supported`);
  return {
    kind: "remote",
    protocol,
    url: addressOf(url, variables, lookUp, installHost),
    headers: headersOf(headers, lookUp),
  };
}

function addressOf(url: string, variables: Remote["variables"], lookUp: InputLookup, installHost: InstallHost): string {
  if (url.includes("${")) throw new Error("its URL refers to this machine's environment");
  const end = /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0].length ?? url.length;
  // A user's value replaces only its placeholder: it cannot add a path, a query or another host.
  const isWhole = end === url.length;
  const filled =
    fill(url.slice(0, end), variables, lookUp, true, isWhole ? (value) => value : label).text +
    fill(url.slice(end), variables, lookUp, true, encoded).text;
  const plain = filled
    .replaceAll(/\$\{(?:env|keyring):[^}]*\}/g, "x")
    .replace(/^<[\w.-]+>/, "https://input.example")
    .replaceAll(/<[\w.-]+>/g, "x");
  if (!URL.canParse(plain)) throw new Error(`"${url}" is not a valid URL`);
  const { protocol, hostname, username, password } = new URL(plain);
  if (username || password) throw new Error("its URL contains a user name or password");
  if (installHost.allowsPrivateAddresses && (protocol === "http:" || protocol === "https:")) return filled;
  if (protocol !== "https:") throw new Error(`its URL ${url} is not https`);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (
    (isIP(host) > 0 && isInternalAddress(host)) ||
    isLoopback(host) ||
    /\.(?:localhost|local|internal)\.?$/i.test(host)
  )
    throw new Error(`its URL ${url} is in a private network`);
  return filled;
}

/** A placeholder value. */
const SAMPLE = /^<[\w.-]+>$/;

const encoded = (value: string) => (value.includes("${") || SAMPLE.test(value) ? value : encodeURIComponent(value));

/** Validates a label of a host name. */
function label(value: string): string {
  if (SAMPLE.test(value) || /^\$\{(?:env|keyring):[^}]*\}$/.test(value)) return value;
  if (value !== "" && !/^[\w.:-]+$/.test(value)) throw new Error(`"${value}" cannot be part of a host name`);
  return value;
}

function headersOf(inputs: Remote["headers"], lookUp: InputLookup): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const input of inputs) {
    const { name } = input;
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new Error(`"${name}" is not a valid header name`);
    if (REFUSED.test(name)) throw new Error(`it sets the header ${name}, which the proxy sets itself`);
    const value = textOf(input, lookUp);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
