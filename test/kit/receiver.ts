import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope } from "./program.ts";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A web server that collects what is posted to it. */
export interface Receiver {
  readonly url: string;
  readonly requests: Received[];
  /** Decides how a request is answered; "hang" does not answer. By default with status 200. */
  answer: (request: Received) => { status: number; headers?: Record<string, string>; body?: string } | "hang";
}

/** Starts a receiver on 127.0.0.1. */
export async function startReceiver(t: Scope, port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    const received = { path: request.url ?? "", headers: request.headers, body };
    receiver.requests.push(received);
    const answer = receiver.answer(received);
    if (answer === "hang") return;
    response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: () => ({ status: 200 }),
  };
  return receiver;
}
