import { type IncomingMessage, request as plain, type RequestOptions } from "node:http";
import { Fault, reasonOf } from "../base/fault.ts";

/** Where a proxy listens: its local socket (or named pipe), or an address with the key that opens it. */
export type Target = { socketPath: string } | { url: URL; key?: string };

/** One request as it goes out. */
export interface Outgoing {
  method: string;
  /** Path and query, encoded. */
  path: string;
  headers: Readonly<Record<string, string | number>>;
  body?: string | undefined;
  signal: AbortSignal;
}

/**
 * Sends one request on a connection of its own, since a command asks little, and answers as soon as the answer begins.
 *
 * @throws Fault daemon_not_running, daemon_unreachable
 */
export async function open(to: Target, { method, path, headers, body, signal }: Outgoing): Promise<IncomingMessage> {
  const url = new URL("url" in to ? to.url : "http://localhost");
  const options: RequestOptions = {
    // Nothing is kept open after the answer, so the command ends with it.
    agent: false,
    method,
    path: url.pathname.replace(/\/$/, "") + path,
    signal,
    headers: { ...headers, ...("key" in to && to.key !== undefined && { "x-api-key": to.key }) },
    ...("socketPath" in to ? { socketPath: to.socketPath } : { host: hostOf(url), port: url.port }),
  };
  const request = url.protocol === "https:" ? (await import("node:https")).request : plain;
  try {
    return await new Promise((done, fail) => void request(options, done).on("error", fail).end(body));
  } catch (error) {
    throw signal.aborted ? error : unreachable(to, error);
  }
}

/** A socket address wants an IPv6 host without its brackets. */
const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** What broke between here and a proxy, as what to do about it. */
export function unreachable(to: Target, error: unknown): Fault {
  const where = "url" in to ? to.url.origin : to.socketPath;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ECONNREFUSED") return new Fault("daemon_not_running", { where }, { cause: error });
  return new Fault("daemon_unreachable", { where, reason: reasonOf(error) || String(code) }, { cause: error });
}
