import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope } from "./program.ts";

/** Host name of a proxy behind an ingress, and the address of one of its clients. */
export const PUBLIC_HOST = "mcp.example.com";
export const CLIENT_IP = "203.0.113.9";

/**
 * Starts a real reverse proxy, like an ingress that terminates TLS: it forwards requests as if received over https, for
 * `PUBLIC_HOST`, from `CLIENT_IP`, without buffering.
 *
 * @returns its URL
 */
export async function startFront(t: Scope, behind: string): Promise<string> {
  const server = createServer((asked, answered) => {
    const headers = {
      ...asked.headers,
      host: PUBLIC_HOST,
      "x-forwarded-for": CLIENT_IP,
      "x-forwarded-proto": "https",
      "x-forwarded-host": PUBLIC_HOST,
    };
    const passed = request(new URL(asked.url ?? "/", behind), { method: asked.method, headers }, (answer) => {
      answered.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answered.flushHeaders();
      answer.pipe(answered);
    });
    passed.on("error", () => answered.destroy());
    answered.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
