import type { IncomingMessage } from "node:http";
import { Fault } from "../core/base/fault.ts";
import type { Send } from "./client.ts";
import { openRequest, type ProxyTarget, unreachable } from "./open-request.ts";

export type { ProxyTarget } from "./open-request.ts";

/**
 * Sends requests to one proxy and returns complete responses.
 *
 * @param agent the user agent: by `proxy-cli/1.2.3`, activity records contain the source `cli`
 */
export function http(to: ProxyTarget, agent: string): Send {
  return async ({ method, path, body, requestId, signal, maxBytes }) => {
    const headers = {
      accept: "application/json",
      "user-agent": agent,
      ...(requestId !== undefined && { "x-request-id": requestId }),
      ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const response = await openRequest(to, { method, path, headers, body, signal });
    try {
      return { status: response.statusCode ?? 0, text: await gather(response, maxBytes) };
    } catch (error) {
      if (signal.aborted || error instanceof Fault) throw error;
      throw unreachable(to, error);
    }
  };
}

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
