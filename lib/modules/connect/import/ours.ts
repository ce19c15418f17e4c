import { basename } from "node:path";
import { mcpPath } from "../../../core/api/mcp-path.ts";
import { isLoopback, parseHost } from "../../../core/base/host-port.ts";
import type { Reach } from "../client.ts";

/** The addresses and commands that lead to this proxy. */
export interface Self {
  /** Host and port of the listener. */
  readonly listenAddr: string;
  /** Addresses of this machine. */
  readonly addresses: readonly string[];
}

const PROGRAM = /^(mcp)?proxy(\.exe|\.cjs|\.js)?$/i;

/**
 * Whether a client's entry leads to this proxy: by its address, through a bridge with that address, or by starting the
 * proxy. If it were imported, the proxy would call itself endlessly.
 */
export function isOurs(reach: Reach, self: Self): boolean {
  if (reach.kind !== "stdio") return leadsHere(reach.url, self);
  const words = [reach.command, ...reach.args];
  const startsUs =
    words.some((word) => word === "serve" || word === "bridge") &&
    words.some((word) => PROGRAM.test(basename(word.replaceAll("\\", "/"))));
  return startsUs || words.some((word) => leadsHere(word, self));
}

function leadsHere(text: string, { listenAddr, addresses }: Self): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  const at = parseHost(listenAddr);
  if (at?.port === undefined || !/^\/mcp(\/|$)/.test(mcpPath(url.pathname))) return false;
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (port !== at.port) return false;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return isLoopback(host) || host === at.host || addresses.includes(host);
}
