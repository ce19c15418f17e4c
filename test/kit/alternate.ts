import { once } from "node:events";
import { createServer, request } from "node:http";
import type { Scope } from "./program.ts";

/** Starts a reverse proxy that sends each request to the next of several replicas. */
export async function alternate(scope: Scope, port: number, replicas: readonly string[]): Promise<string> {
  let count = 0;
  const server = createServer((req, res) => {
    const target = new URL(req.url!, replicas[count++ % replicas.length]);
    const onward = request(target, { method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    onward.on("error", () => res.destroy());
    req.pipe(onward);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}
