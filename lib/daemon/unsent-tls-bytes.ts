import type { Socket } from "node:net";

/** The connection below that of TLS, whose handle counts what the operating system has not taken. */
type Below = Socket & { _parent?: { _handle?: { writeQueueSize?: number } | null } | null };

/**
 * Returns how much of the encrypted data that was written to a TLS connection the operating system has not taken yet.
 * Node counts a long write as a whole, so for its timeout a client that takes minutes to read it is a client that reads
 * nothing.
 *
 * @returns undefined for a connection without TLS, whose timeout Node renews while the client reads
 */
export function unsentTlsBytes(socket: Socket): number | undefined {
  // Node has no public member for it.
  const { _parent: below } = socket as Below;
  return below?._handle?.writeQueueSize;
}
