import type { Server, Socket } from "node:net";

/**
 * Returns the open connections of a server. On a server for TLS they include those whose handshake has not ended, which
 * neither `closeAllConnections` nor the sessions of HTTP/2 know: a client that sends nothing would delay `close` by two
 * minutes.
 */
export function acceptedSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const closed = function (this: Socket) {
    sockets.delete(this);
  };
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", closed);
  });
  return sockets;
}
