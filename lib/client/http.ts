import { type IncomingMessage, request as plain, type RequestOptions } from "node:http";
import { Fault, reasonOf } from "../base/fault.ts";
import type { Answered, Send } from "./client.ts";

/** Where a proxy listens: its local socket (or named pipe), or an address with the key that opens it. */
export type Target = { socketPath: string } | { url: URL; key?: string };

/**
 * Sends requests to one proxy; each opens its own connection, since a command asks little.
 *
 * @param agent how this client names itself: `proxy-cli/1.2.3` marks records as made by the command line
 */
export function http(to: Target, agent: string): Send {
  return async ({ method, path, body, requestId, signal, maxBytes }) => {
    const url = new URL("url" in to ? to.url : "http://localhost");
    const options: RequestOptions = {
      // Nothing is kept open after the answer, so the command ends with it.
      agent: false,
      method,
      path: url.pathname.replace(/\/$/, "") + path,
      signal,
      headers: {
        accept: "application/json",
        "user-agent": agent,
        ...(requestId !== undefined && { "x-request-id": requestId }),
        ...("key" in to && to.key !== undefined && { "x-api-key": to.key }),
        ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      },
      ...("socketPath" in to ? { socketPath: to.socketPath } : { host: hostOf(url), port: url.port }),
    };
    const request = url.protocol === "https:" ? (await import("node:https")).request : plain;
    try {
      return await new Promise<Answered>((done, fail) => {
        const sent = request(options, (response) => {
          gather(response, maxBytes).then((text) => done({ status: response.statusCode ?? 0, text }), fail);
        });
        sent.on("error", fail).end(body);
      });
    } catch (error) {
      if (signal.aborted || error instanceof Fault) throw error;
      throw unreachable(to, error);
    }
  };
}

/** A socket address wants an IPv6 host without its brackets. */
const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, "$1");

async function gather(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) {
      response.destroy();
      throw new Fault("client_answer_too_large", { limit: maxBytes });
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function unreachable(to: Target, error: unknown): Fault {
  const where = "url" in to ? to.url.origin : to.socketPath;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ECONNREFUSED") return new Fault("daemon_not_running", { where }, { cause: error });
  return new Fault("daemon_unreachable", { where, reason: reasonOf(error) || String(code) }, { cause: error });
}
