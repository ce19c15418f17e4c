import { createServer, type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { App } from "../core/app.ts";
import { acceptedSockets } from "../core/base/accepted-sockets.ts";
import { Fault } from "../core/base/fault.ts";
import { isLoopbackListener, joinHost, parseHost } from "../core/base/host-port.ts";
import { socketPath, socketPathExcess } from "../core/base/socket-path.ts";
import { TransientMap } from "../core/base/transient-map.ts";
import type { ReceivedPost } from "../core/mcp/received-post.ts";
import type { ListenerKind } from "../core/schema/caller.ts";
import { lingerAtClose } from "./linger-at-close.ts";
import { LISTENER_LIMITS } from "./listener-limits.ts";
import { type TakenPosts, takePosts } from "./posts/take-posts.ts";
import {
  answerRefusal,
  NO_TUNNEL,
  refuseUnreadable,
  sendRefusal,
  UNKNOWN_EXPECTATION,
  unsupportedMessage,
} from "./refusals.ts";
import { freeSocketPath } from "./socket.ts";
import { unsentTlsBytes } from "./unsent-tls-bytes.ts";

/** Answers requests; `listener` is the kind of listener that accepted them. */
interface ListenerHandlers {
  node(req: IncomingMessage, res: ServerResponse, listener: ListenerKind): void;
  /** For the POSTs that are read without `node:http`; without it, `node` answers all. */
  posts?: {
    /** True if a POST to this target, path and query, is answered by `answer`. */
    takes(target: string): boolean;
    answer(post: ReceivedPost, listener: ListenerKind): void;
  };
  /** For tests: in place of `LISTENER_LIMITS.stallTimeout`. */
  stallTimeoutMs?: number;
}

export interface Listeners {
  /** Asks clients with each response to close their connection, so that they open the next one elsewhere. */
  retire(): void;
  /** Accepts no more connections and waits up to `graceMs` for pending responses, except open event streams. */
  drain(graceMs: number): Promise<void>;
  /** Whether a response is pending; open event streams do not count. */
  isAnswering(): boolean;
  /** Closes the remaining connections. */
  close(): Promise<void>;
}

/**
 * Opens the configured listeners: TCP at `listen`, with TLS if `tls.enabled` is set, and the local socket unless
 * `enable_socket` is false. Sets `boot.listenAddr` and `boot.socketPath`.
 *
 * @throws Fault address_in_use, listen_failed, tls_unusable; listeners that were already open are closed again
 */
export async function listen(app: App, handlers: ListenerHandlers): Promise<Listeners> {
  const { listen: address, enable_socket, tls } = app.config.current();
  const open: Open[] = [];
  try {
    if (address !== "") {
      const tcp = tls.enabled ? await openedTls(app, handlers) : opened(app, handlers, "tcp", plainServer());
      open.push(tcp);
      app.boot.listenAddr = await bindTcp(tcp.server, address);
      warnIfOpen(app);
    }
    if (enable_socket) {
      const local = opened(app, handlers, "socket", plainServer());
      const path = await bindSocket(app, local.server);
      if (path !== undefined) open.push(local);
      app.boot.socketPath = path ?? "";
    }
  } catch (error) {
    await Promise.all(open.map((o) => shut(o)));
    throw error;
  }
  const retire = () => {
    for (const o of open) o.draining = true;
  };
  return {
    retire,
    async drain(graceMs) {
      retire();
      await readArrived(open, graceMs);
      for (const o of open) {
        o.server.close();
        o.server.closeIdleConnections();
        o.posts?.closeIdle();
      }
      await readArrived(open, graceMs);
      await idle(app, open, graceMs);
    },
    isAnswering: () => isAnswering(open),
    close: async () => void (await Promise.all(open.map((o) => shut(o)))),
  };
}

/** Warns about a listener that is open to other machines without credentials, which can be a mistake. */
function warnIfOpen({ boot, config, log }: App): void {
  if (isLoopbackListener(boot.listenAddr) || config.current().require_mcp_auth) return;
  log.warn(
    `${boot.listenAddr} is not a loopback address, and every client that reaches it can call every tool without a credential; set require_mcp_auth: true (SERVICE_REQUIRE_MCP_AUTH=true) to require one`,
  );
}

interface Open {
  readonly server: Server | TlsServer;
  /** Stops what was started together with the server. */
  readonly end?: () => void;
  /** The connections of a server for TLS. */
  readonly sockets?: ReadonlySet<Socket>;
  /** The connections that are read without `node:http`. */
  posts?: TakenPosts;
  /** Pending responses of `node:http`. */
  readonly active: TransientMap<ServerResponse, ServerResponse>;
  draining: boolean;
  /** Number of connections so far. */
  accepted: number;
  onIdle?: () => void;
}

/** `unsupportedMessage` rejects a missing Host. */
const LISTENER_OPTIONS = { ...LISTENER_LIMITS, requireHostHeader: false };

const plainServer = () => createServer(LISTENER_OPTIONS);

function opened(
  app: App,
  handlers: ListenerHandlers,
  listener: ListenerKind,
  server: Open["server"],
  tls?: Pick<Open, "end" | "sockets">,
): Open {
  const { node, posts } = handlers;
  const active = new TransientMap<ServerResponse, ServerResponse>();
  // One function for all responses, because a function for each would be part of the cost of a call.
  const closed = function (this: ServerResponse) {
    active.delete(this);
    self.onIdle?.();
  };
  const answered = (req: IncomingMessage, res: ServerResponse, next: () => void) => {
    active.set(res, res);
    if (self.draining) res.setHeader("Connection", "close");
    res.on("close", closed);
    lingerAtClose(req);
    next();
  };
  server.on("request", (req: IncomingMessage, res: ServerResponse) =>
    answered(req, res, () => {
      const unsupported = unsupportedMessage(req);
      if (unsupported) answerRefusal(res, unsupported);
      else node(req, res, listener);
    }),
  );
  server.on("checkExpectation", (req: IncomingMessage, res: ServerResponse) =>
    answered(req, res, () => answerRefusal(res, UNKNOWN_EXPECTATION)),
  );
  server.on("connect", (_: IncomingMessage, socket: Duplex) => sendRefusal(socket, NO_TUNNEL));
  server.timeout = handlers.stallTimeoutMs ?? LISTENER_LIMITS.stallTimeout;
  /** At the last timeout of each TLS connection. */
  const unsent = new WeakMap<Socket, number>();
  server.on("timeout", (socket: Socket) => {
    const isAwaited = [...active.values()].some((res) => res.socket === socket);
    // A long call, or an event stream without events.
    if (isAwaited && socket.writableLength === 0) return void socket.setTimeout(server.timeout);
    const bytes = unsentTlsBytes(socket);
    if (bytes && bytes !== unsent.get(socket)) {
      unsent.set(socket, bytes);
      return void socket.setTimeout(server.timeout);
    }
    if (socket.writableLength > 0) app.log.warn("a client was disconnected, because it stopped reading", { listener });
    socket.destroy();
  });
  const self: Open = { server, active, draining: false, accepted: 0, ...tls };
  if (posts && server instanceof Server)
    self.posts = takePosts(server, {
      takes: posts.takes,
      answer: (post) => posts.answer(post, listener),
      isRetired: () => self.draining,
      closed: () => self.onIdle?.(),
    });
  server.on("connection", () => void self.accepted++);
  server.on("clientError", refuseUnreadable);
  server.on("error", (error) => app.log.error(`the ${listener} listener failed`, { reason: error.message }));
  return self;
}

/** HTTP/1.1 over TLS (`tls`), loaded on demand. */
async function openedTls(app: App, handlers: ListenerHandlers): Promise<Open> {
  const [{ createServer: create }, { keepPair }] = await Promise.all([
    import("node:https"),
    import("../modules/tls/keep.ts"),
  ]);
  const { first, end } = await keepPair(app, (pair) => server.setSecureContext({ ...TLS, ...pair }));
  const asks = app.config.current().tls.require_client_cert;
  const server = create({ ...LISTENER_OPTIONS, ...TLS, ...first, requestCert: asks, rejectUnauthorized: asks });
  server.on("tlsClientError", (error, socket) => {
    app.log.debug("the TLS handshake failed", { from: socket.remoteAddress, reason: error.message });
    socket.destroy();
  });
  return opened(app, handlers, "tcp", server, { end, sockets: acceptedSockets(server) });
}

const TLS = { minVersion: "TLSv1.2", ALPNProtocols: ["http/1.1"] } as const;

async function bindTcp(server: Open["server"], address: string): Promise<string> {
  const listenAddress = address.startsWith(":") ? parseHost(`all${address}`) : parseHost(address);
  if (listenAddress?.port === undefined) throw new Fault("listen_failed", { address, reason: "it is not host:port" });
  const { host, port } = listenAddress;
  await bind(server, address, () => {
    if (address.startsWith(":")) server.listen(port);
    else server.listen(port, host === "localhost" ? "127.0.0.1" : host);
  });
  const at = server.address() as AddressInfo;
  return joinHost(at.address, at.port);
}

async function bindSocket(app: App, server: Open["server"]): Promise<string | undefined> {
  const path = socketPath(app.boot.dataDir);
  const over = socketPathExcess(path);
  if (over > 0) {
    const remedy = "choose a shorter --data-dir, or use --url with the API key";
    app.log.warn(`no local socket: the path ${path} is ${over} bytes too long; ${remedy}`);
    return undefined;
  }
  // The workers share the socket, so the first one has freed the path.
  if (app.boot.worker?.isFirst !== false) await freeSocketPath(path);
  await bind(server, path, () => {
    // The socket is created with these permissions; changing them afterwards would leave it open to others for a
    // moment.
    const before = process.umask(0o177);
    try {
      server.listen(path);
    } finally {
      process.umask(before);
    }
  });
  return path;
}

function bind(server: Open["server"], address: string, start: () => void): Promise<void> {
  return new Promise((done, fail) => {
    const failed = (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "EADDRINUSE"
          ? new Fault("address_in_use", { address }, { cause: error })
          : new Fault("listen_failed", { address, reason: error.message }, { cause: error }),
      );
    server.once("error", failed);
    server.once("listening", () => {
      server.off("error", failed);
      done();
    });
    start();
  });
}

/** How long the listeners wait for requests that a reverse proxy is just sending (ms). */
const ARRIVAL_MS = 20;

/**
 * Reads what has arrived, so that a reverse proxy need not report requests that were cut as 502: `drain` calls it before it
 * closes idle connections, and again before it looks for pending responses.
 */
async function readArrived(open: readonly Open[], maxMs: number): Promise<void> {
  const end = performance.now() + maxMs;
  await setTimeout(ARRIVAL_MS);
  const accepted = () => open.reduce((sum, o) => sum + o.accepted, 0);
  // Each turn of the event loop accepts one connection of each listener.
  let before: number;
  do {
    before = accepted();
    await setImmediate();
  } while (accepted() !== before && performance.now() < end);
}

/** Resolves when only event streams are open, or on timeout. */
async function idle(app: App, open: readonly Open[], graceMs: number): Promise<void> {
  if (!isAnswering(open)) return;
  await new Promise<void>((done) => {
    const cancel = app.clock.after(graceMs, done);
    for (const o of open)
      o.onIdle = () => {
        if (isAnswering(open)) return;
        cancel();
        done();
      };
  });
}

const isAnswering = (open: readonly Open[]) =>
  open.some(({ active, posts }) => posts?.isAnswering() || [...active.values()].some((res) => !isStream(res)));

/** Whether a response is an event stream, which its headers show. */
function isStream(res: ServerResponse): boolean {
  return String(res.getHeader("content-type")).startsWith("text/event-stream");
}

async function shut({ server, sockets, posts, end }: Open): Promise<void> {
  end?.();
  // A response that just ended reaches the socket within one turn of the event loop.
  await setImmediate();
  await new Promise<void>((done) => {
    server.close(() => done());
    server.closeAllConnections();
    for (const socket of sockets ?? []) socket.destroy();
    posts?.closeAll();
  });
}
