import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect as connectTcp, type Socket } from "node:net";
import { hostname } from "node:os";
import { connect as connectTls } from "node:tls";
import type { App } from "../../core/app.ts";
import { outgoingTrust } from "../../core/base/egress/authorities.ts";
import { resolveAllowed } from "../../core/base/egress/resolve-allowed.ts";
import { type HostPort, parseHost } from "../../core/base/host-port.ts";
import { orAborted } from "../../core/base/or-aborted.ts";
import type { SinkConfig } from "./config.ts";
import type { Destination } from "./destination.ts";
import { syslogMessage } from "./syslog-message.ts";

/**
 * How long a connection must stay open after records were written to it. Syslog has no acknowledgements, but a receiver
 * that has ended resets the connection. (ms)
 */
const SETTLE_MS = 100;

/**
 * Sends records as syslog messages (RFC 5424): over UDP one datagram each (RFC 5426), over TCP and TLS with the length
 * before each message (RFC 6587 section 3.4.1, RFC 5425).
 */
export async function openSyslogDestination(app: App, sink: SinkConfig, signal: AbortSignal): Promise<Destination> {
  const target = parseHost(sink.address ?? "") as Required<HostPort>;
  const to = { ...target, ...(await resolveAllowed(target, app.config.current().outbound_allow, signal)) };
  const origin = { facility: sink.facility, hostname: hostname(), processId: process.pid };
  const line = sink.transport === "udp" ? await openDatagrams(to) : await openStream(app, sink, to, signal);
  return {
    async deliver(records, limit) {
      await line.send(
        records.map((record) => syslogMessage(record, origin)),
        limit,
      );
    },
    close: () => line.close(),
  };
}

interface Line {
  send(messages: readonly string[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

type Target = Required<HostPort> & { address: string; family: number };

async function openDatagrams({ address, port, family }: Target): Promise<Line> {
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  let failure: Error | undefined;
  // The system reports an absent receiver only when a later datagram is sent.
  socket.on("error", (error) => {
    failure = error;
  });
  await new Promise<void>((done, fail) => {
    socket.once("error", fail);
    socket.connect(port, address, () => {
      socket.off("error", fail);
      done();
    });
  });
  return {
    async send(messages, signal) {
      for (const message of messages) {
        signal.throwIfAborted();
        await new Promise<void>((done, fail) => socket.send(message, (error) => (error ? fail(error) : done())));
        if (failure) throw failure;
      }
    },
    close: () => new Promise((done) => socket.close(done)),
  };
}

async function openStream(app: App, sink: SinkConfig, to: Target, signal: AbortSignal): Promise<Line> {
  const socket = await openSocket(app, sink, to, signal);
  socket.setKeepAlive(true, 30_000);
  let failure: Error | undefined;
  socket.on("error", (error) => {
    failure = error;
  });
  socket.on("close", () => {
    failure ??= new Error(`${sink.address} closed the connection`);
  });
  // A receiver of syslog sends nothing; what it sends nevertheless is discarded.
  socket.resume();
  return {
    async send(messages, limit) {
      if (failure) throw failure;
      const frames = messages.map((message) => `${Buffer.byteLength(message)} ${message}`).join("");
      await orAborted(written(socket, frames), limit);
      await app.clock.sleep(SETTLE_MS, limit);
      if (failure) throw failure;
    },
    async close() {
      socket.destroy();
    },
  };
}

async function openSocket(app: App, sink: SinkConfig, to: Target, signal: AbortSignal): Promise<Socket> {
  const { address: host, port } = to;
  let socket: Socket;
  let ready = "connect";
  if (sink.transport === "tls") {
    const ca = sink.ca_file === undefined ? undefined : await readFile(sink.ca_file);
    const secureContext = ca ? undefined : await outgoingTrust(app.boot.env);
    const servername = to.host === to.address ? {} : { servername: to.host };
    socket = connectTls({ host, port, ...servername, ...(ca && { ca }), ...(secureContext && { secureContext }) });
    ready = "secureConnect";
  } else socket = connectTcp({ host, port });
  try {
    await orAborted(once(socket, ready), signal);
    return socket;
  } catch (error) {
    socket.on("error", () => undefined).destroy();
    throw error;
  }
}

function written(socket: Socket, text: string): Promise<void> {
  return new Promise((done, fail) => {
    const onClose = () => fail(new Error("the connection was closed"));
    socket.once("close", onClose);
    socket.write(text, (error) => {
      socket.off("close", onClose);
      if (error) fail(error);
      else done();
    });
  });
}
