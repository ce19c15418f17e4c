import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import type { Scope } from "./program.ts";

/** A network link to a server of this machine, which can be slow or cut. */
export interface Link {
  readonly port: number;
  /** The URL of the server with the port of this link. */
  through(url: string): string;
  /** Delivers everything from now on so much later, in each direction. (ms) */
  delay(ms: number): void;
  /** Passes nothing on any more. Neither side notices, as when a cable is cut. */
  freeze(): void;
  /** Passes new connections on again; those of before end. */
  thaw(): void;
}

/** Starts a link to a port of 127.0.0.1. */
export async function startLink(scope: Scope, to: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let delayMs = 0;

  /** Passes on what arrives, in its order. */
  const pass = (from: Socket, into: Socket) => {
    let lastDueAt = 0;
    const inTime = (deliver: () => void) => {
      lastDueAt = Math.max(lastDueAt, performance.now() + delayMs);
      const waitMs = lastDueAt - performance.now();
      if (waitMs > 0) setTimeout(deliver, waitMs).unref();
      else deliver();
    };
    sockets.add(from);
    from.on("data", (chunk) => inTime(() => isFrozen || into.destroyed || into.write(chunk)));
    from.on("error", () => {});
    from.on("close", () => {
      sockets.delete(from);
      if (!isFrozen) inTime(() => into.destroy());
    });
  };
  const server = createServer((near) => {
    const far = connect({ host: "127.0.0.1", port: to });
    for (const socket of [near, far]) socket.setNoDelay(true);
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  scope.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    through: (url) => url.replace(`:${to}/`, `:${port}/`),
    delay(ms) {
      delayMs = ms;
    },
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.destroy();
    },
  };
}
