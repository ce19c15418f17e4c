import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { docsPath } from "../core/base/docs-path.ts";
import { requestId } from "../core/base/id.ts";

/** What a listener refuses before a request reaches what answers it. */
type Refusal = readonly [status: number, text: string];

export const NO_TUNNEL: Refusal = [405, "CONNECT is not supported, because this is not an HTTP proxy for other hosts"];
export const UNKNOWN_EXPECTATION: Refusal = [417, "Expect supports only 100-continue"];

/** Refusals of messages that `node:http` cannot read, by its error code. */
const UNREADABLE: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, "request headers are larger than 64 KiB"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request took too long to arrive"],
};

/**
 * Returns why a request cannot be read. `node:http` rejects a missing Host too, but without a body, and it ignores
 * transfer codings that it does not decode (RFC 9112 §3.2, §6.1).
 */
export function unsupportedMessage({
  httpVersion,
  headers,
}: Pick<IncomingMessage, "httpVersion" | "headers">): Refusal | undefined {
  if (headers.host === undefined && httpVersion === "1.1") return [400, "the request has no Host header"];
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return [501, "Transfer-Encoding supports only chunked"];
  return undefined;
}

/** Returns the refusal of data that never became a request. @param code the error code of `node:http` */
export function unreadableMessage(code: string | undefined): Refusal {
  return UNREADABLE[code ?? ""] ?? [400, "malformed HTTP request"];
}

/** Ends a connection whose data is not HTTP, with the error in the usual format. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  sendRefusal(socket, unreadableMessage(error.code));
}

/** Sends a refusal over a connection without a request. */
export function sendRefusal(socket: Duplex, refusal: Refusal): void {
  const { status, headers, body } = refusalMessage(refusal);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

export function answerRefusal(res: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = refusalMessage(refusal);
  res.writeHead(status, headers).end(body);
}

function refusalMessage([status, text]: Refusal) {
  const id = requestId(undefined);
  const code = "invalid_request";
  const body = JSON.stringify({ success: false, error: text, code, request_id: id, docs: docsPath("errors", code) });
  const headers = {
    "Content-Type": "application/json",
    "X-Content-Type-Options": "nosniff",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": id,
    Connection: "close",
  };
  return { status, headers, body };
}
