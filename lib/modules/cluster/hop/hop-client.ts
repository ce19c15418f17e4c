import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { checkServerIdentity } from "node:tls";
import { reasonOf } from "../../../core/base/fault.ts";
import { abortable } from "../../../core/upstream/abortable.ts";
import { definitionHash } from "../../../core/upstream/definition-hash.ts";
import { OwnerLost } from "../../../core/upstream/errors.ts";
import type { Transport, TransportReceiver } from "../../../core/upstream/transport.ts";
import type { RemoteOwner } from "../stdio/share-processes.ts";
import { type HopIdentity, replicaHost } from "./hop-authority.ts";
import { HOP_HEADERS, HOP_PATH } from "./hop-protocol.ts";
import { endWhenSilent, SESSION_MEMORY_MB, WINDOW_BYTES } from "./hop-session.ts";
import { openHopTransport } from "./hop-transport.ts";

/** The connections to other replicas: one to each, with a stream for each server. */
export interface HopClient {
  /** Opens a transport to the process of a server. @throws OwnerLost */
  connect(owner: RemoteOwner, receiver: TransportReceiver, signal: AbortSignal): Promise<Transport>;
  close(): void;
}

const CONNECT_MS = 5000;

/** @param identity returns the current certificates */
export function createHopClient(identity: () => HopIdentity): HopClient {
  const sessions = new Map<string, Promise<ClientHttp2Session>>();
  let isClosed = false;

  const sessionTo = (owner: RemoteOwner): Promise<ClientHttp2Session> => {
    const key = `${owner.id} ${owner.address}`;
    const open = sessions.get(key);
    if (open) return open;
    const opening = openSession(owner, identity());
    sessions.set(key, opening);
    const forget = () => {
      if (sessions.get(key) === opening) sessions.delete(key);
    };
    opening.then((session) => {
      session.once("close", forget);
      if (isClosed) session.destroy();
    }, forget);
    return opening;
  };

  return {
    async connect(owner, receiver, signal) {
      const session = await abortable(sessionTo(owner), signal).catch((error) => {
        throw unreachable(owner, reasonOf(error), error);
      });
      const stream = session.request(
        {
          [constants.HTTP2_HEADER_METHOD]: "POST",
          [constants.HTTP2_HEADER_PATH]: HOP_PATH,
          [HOP_HEADERS.server]: encodeURIComponent(owner.server.name),
          [HOP_HEADERS.token]: String(owner.token),
          [HOP_HEADERS.definition]: definitionHash(owner.server),
        },
        { endStream: false },
      );
      try {
        await abortable(accepted(stream), signal);
      } catch (error) {
        stream.destroy();
        throw unreachable(owner, reasonOf(error), error);
      }
      return openHopTransport(stream, { receiver, replica: owner.id });
    },
    close() {
      isClosed = true;
      for (const opening of sessions.values()) opening.then((session) => session.destroy()).catch(() => {});
    },
  };
}

function unreachable({ id }: RemoteOwner, reason: string, cause: unknown): OwnerLost {
  return new OwnerLost(`the replica ${id}, which runs it, cannot be used: ${reason}`, { cause });
}

function openSession({ id, address }: RemoteOwner, { ca, client }: HopIdentity): Promise<ClientHttp2Session> {
  return new Promise((done, fail) => {
    const session = connect(`https://${address}`, {
      ca,
      ...client,
      // The certificate names the replica, whatever its address is.
      servername: replicaHost(id),
      // A worker that was killed is replaced at the same address, as another replica. That is no certificate problem.
      checkServerIdentity: (host, cert) =>
        checkServerIdentity(host, cert) && new Error("another replica has its address now"),
      minVersion: "TLSv1.3",
      maxSessionMemory: SESSION_MEMORY_MB,
      settings: { initialWindowSize: WINDOW_BYTES, enablePush: false },
    });
    const timer = setTimeout(() => session.destroy(new Error("it does not accept the connection in time")), CONNECT_MS);
    session.on("error", fail);
    session.once("close", () => {
      clearTimeout(timer);
      fail(new Error("the connection was closed"));
    });
    session.once("connect", () => {
      clearTimeout(timer);
      session.setLocalWindowSize(16 * WINDOW_BYTES);
      endWhenSilent(session);
      done(session);
    });
  });
}

/** Resolves when the other replica has accepted the stream. */
function accepted(stream: ClientHttp2Stream): Promise<void> {
  return new Promise((done, fail) => {
    stream.on("error", fail);
    stream.once("close", () => fail(new Error("the connection was closed")));
    stream.once("response", (headers) => {
      if (headers[":status"] === 200) done();
      else fail(new Error(decodeURIComponent(String(headers[HOP_HEADERS.reason] ?? "it refuses"))));
    });
  });
}
