import { type IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Readable } from "node:stream";

/** A request to the provider, which expects Node's objects. */
interface ProviderRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => unknown;

/** Makes the request for functions of the provider that take Node's objects. */
export function nodeRequest(issuer: string, { method, target, headers, body = "" }: ProviderRequest): IncomingMessage {
  const { protocol, host } = new URL(issuer);
  // Only its properties are read: the provider learns scheme and host from them.
  const socket = Object.assign(new Socket(), { encrypted: protocol === "https:" });
  const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const readable = Readable.from(body === "" ? [] : [Buffer.from(body)], { objectMode: false });
  return Object.assign(readable, {
    method,
    url: target,
    headers: { ...headers, ...length, host },
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket,
    connection: socket,
  }) as unknown as IncomingMessage;
}

/** Sends a request to a handler in memory. @param signal ends the wait */
export async function askProvider(handler: NodeHandler, req: IncomingMessage, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted();
  return new Promise<Response>((done, fail) => {
    const res = new ServerResponse(req);
    const chunks: Buffer[] = [];
    const take = (chunk: unknown) => {
      if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    res.write = ((chunk: unknown) => {
      take(chunk);
      return true;
    }) as typeof res.write;
    res.end = ((chunk?: unknown) => {
      take(chunk);
      done(toResponse(res, Buffer.concat(chunks)));
      res.emit("finish");
      res.emit("close");
      return res;
    }) as typeof res.end;
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
    Promise.resolve(handler(req, res)).catch(fail);
  });
}

/** Headers of the connection, and those that the REST interface sets itself. */
const DROPPED = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "vary"]);

function toResponse(res: ServerResponse, body: Buffer): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(res.getHeaders())) {
    if (DROPPED.has(name) || name.startsWith("access-control-") || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [String(value)]) headers.append(name, one);
  }
  const isEmpty = body.length === 0 || [204, 304].includes(res.statusCode);
  return new Response(isEmpty ? null : new Uint8Array(body), { status: res.statusCode, headers });
}
