import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { App } from "../../../core/app.ts";
import { acceptedSockets } from "../../../core/base/accepted-sockets.ts";
import { systemClock } from "../../../core/base/clock.ts";
import { reasonOf } from "../../../core/base/fault.ts";
import type { McpObject } from "../../../core/schema/mcp.ts";
import { definitionHash } from "../../../core/upstream/definition-hash.ts";
import { waitAtMost } from "../../../core/upstream/wait-at-most.ts";
import { type HopIdentity, replicaOfSubject } from "./hop-authority.ts";
import { HOP_HEADERS, HOP_PATH } from "./hop-protocol.ts";
import { endWhenSilent, SESSION_MEMORY_MB, WINDOW_BYTES } from "./hop-session.ts";
import { ProcessConversation } from "./process-conversation.ts";

interface HopServerOptions {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  readonly identity: HopIdentity;
}

/** Accepts the calls of other replicas for the processes that this replica runs. */
export interface HopServer {
  readonly port: number;
  /** Accepts streams from now on. @param tokenOf returns the token of this replica's ownership of a server */
  serve(app: App, tokenOf: (server: string) => number | undefined): void;
  /** Passes a notification of a process on to the replicas that are connected to it. */
  notified(server: string, method: string, params: McpObject): void;
  /** Accepts no further requests. Resolves when those under way have ended, or after the time. */
  leave(graceMs: number): Promise<void>;
  /** Ends the conversations about a server, because its process has ended. */
  endProcess(server: string): void;
  /** Uses new certificates from now on. */
  renew(identity: HopIdentity): void;
  close(): Promise<void>;
}

/** Streams of one replica: one for each server. */
const MAX_STREAMS = 10_000;
/** Longest time until the process is ready. (ms) */
const READY_MS = 30_000;

/** Opens the listener. @throws Error if the address cannot be used */
export async function openHopServer({ host, port, identity }: HopServerOptions): Promise<HopServer> {
  const conversations = new Map<string, Set<ProcessConversation>>();
  const sessions = new Set<ServerHttp2Session>();
  let isLeaving = false;
  let serving: { app: App; tokenOf(server: string): number | undefined } | undefined;

  const server = createSecureServer({
    ...tlsOptions(identity),
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.3",
    maxSessionMemory: SESSION_MEMORY_MB,
    settings: { initialWindowSize: WINDOW_BYTES, maxConcurrentStreams: MAX_STREAMS },
  });
  const sockets = acceptedSockets(server);
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
    session.once("close", () => sessions.delete(session));
    session.setLocalWindowSize(16 * WINDOW_BYTES);
    endWhenSilent(session);
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    const { app, tokenOf } = serving ?? {};
    const name = decodeURIComponent(String(headers[HOP_HEADERS.server] ?? ""));
    const entry = app?.config.server(name);
    const upstream = app?.upstreams.get(name);
    if (!isReplica(stream) || headers[":method"] !== "POST" || headers[":path"] !== HOP_PATH)
      return refuse(stream, 403, "this is not a replica of the cluster");
    if (isLeaving) return refuse(stream, 503, "it is about to end");
    if (!app || !entry || !upstream || !tokenOf) return refuse(stream, 503, "it does not know the server");
    if (String(tokenOf(name)) !== headers[HOP_HEADERS.token]) return refuse(stream, 409, "it does not run the server");
    if (definitionHash(entry) !== headers[HOP_HEADERS.definition])
      return refuse(stream, 409, "it runs another definition of the server");
    void begin(stream, app, name);
  });
  /** Begins the conversation when the process is ready. Never rejects. */
  const begin = async (stream: ServerHttp2Stream, app: App, name: string) => {
    const gone = new AbortController();
    stream.once("close", () => gone.abort());
    try {
      const upstream = app.upstreams.get(name)!;
      await upstream.ensureReady(READY_MS, gone.signal);
      if (isLeaving) return refuse(stream, 503, "it is about to end");
      stream.respond({ ":status": 200 });
      const conversation = new ProcessConversation({ app, upstream, stream });
      const all = conversations.get(name) ?? new Set();
      conversations.set(name, all.add(conversation));
      stream.once("close", () => {
        all.delete(conversation);
        if (all.size === 0 && conversations.get(name) === all) conversations.delete(name);
      });
    } catch (error) {
      refuse(stream, 503, reasonOf(error));
    }
  };

  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", fail);
      server.on("error", () => {});
      done();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve(app, tokenOf) {
      serving = { app, tokenOf };
    },
    notified(name, method, params) {
      for (const conversation of conversations.get(name) ?? []) conversation.notified(method, params);
    },
    async leave(graceMs) {
      isLeaving = true;
      const idle = [...conversations.values()].flatMap((all) => [...all].map((one) => one.leave()));
      await waitAtMost(systemClock, graceMs, Promise.all(idle));
    },
    endProcess(name) {
      for (const conversation of [...(conversations.get(name) ?? [])]) conversation.end("its process has ended");
    },
    renew: (next) => server.setSecureContext(tlsOptions(next)),
    close: () => closed(server, sessions, sockets),
  };
}

const tlsOptions = ({ ca, server }: HopIdentity) => ({ ca, ...server });

/** True if the other end has a certificate of a replica. TLS has checked that the cluster's authority signed it. */
function isReplica(stream: ServerHttp2Stream): boolean {
  const socket = stream.session?.socket as TLSSocket | undefined;
  if (socket?.authorized !== true) return false;
  const { CN } = socket.getPeerCertificate().subject ?? {};
  return replicaOfSubject(typeof CN === "string" ? CN : undefined) !== undefined;
}

function refuse(stream: ServerHttp2Stream, status: number, reason: string): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond(
    { ":status": status, [HOP_HEADERS.reason]: encodeURIComponent(reason.slice(0, 500)) },
    { endStream: true },
  );
}

function closed(
  server: Http2SecureServer,
  sessions: ReadonlySet<ServerHttp2Session>,
  sockets: ReadonlySet<Socket>,
): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    for (const session of sessions) session.destroy();
    for (const socket of sockets) socket.destroy();
  });
}
