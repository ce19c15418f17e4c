import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type App, part } from "../../../core/app.ts";
import { answer } from "./answer.ts";
import { PAGE_HEADERS } from "./page.ts";

/** A listener on this machine to which a browser returns. */
export interface Listening {
  readonly port: number;
  /** Releases the listener for this sign-in. */
  release(): void;
}

interface Shared {
  server: Server;
  users: number;
}

/** Shared, because two sign-ins can have the same redirect URI. */
const listeners = part("signInListeners", () => new Map<string, Shared>());

/** Listens on a loopback address for authorization responses at one path. @throws the system's error */
export async function listenFor(app: App, host: string, port: number, path: string): Promise<Listening> {
  const openListeners = app.part(listeners);
  const key = (at: number) => `${host} ${at} ${path}`;
  let shared = openListeners.get(key(port));
  if (!shared) {
    shared = { server: serve(app, path), users: 0 };
    await listening(shared.server, host, port);
    openListeners.set(key((shared.server.address() as AddressInfo).port), shared);
  }
  const { server } = shared;
  shared.users++;
  const at = (server.address() as AddressInfo).port;
  let released = false;
  return {
    port: at,
    release() {
      if (released || !shared) return;
      released = true;
      if (--shared.users > 0) return;
      openListeners.delete(key(at));
      server.close();
    },
  };
}

function serve(app: App, path: string): Server {
  const limits = { headersTimeout: 10_000, requestTimeout: 20_000, maxHeaderSize: 64 * 1024 };
  return createServer(limits, (req, res) => {
    const url = new URL(`http://localhost${req.url?.startsWith("/") ? req.url : "/"}`);
    if (req.method !== "GET" || url.pathname !== path) {
      res.writeHead(404, { ...PAGE_HEADERS, connection: "close" }).end();
      return;
    }
    const reply = async () => {
      const { status, html } = await answer(app, url.searchParams);
      res.writeHead(status, { ...PAGE_HEADERS, connection: "close" }).end(html);
    };
    app.log.catch("answering a browser that comes back from a sign-in", reply());
  });
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", fail);
      server.unref();
      done();
    });
  });
}
