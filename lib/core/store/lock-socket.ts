import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The smallest maximum length of a socket path on any Unix system (macOS), without the final zero byte. */
const SOCKET_PATH_BYTES = 103;
/** Bytes reserved for a new folder in the temporary folder and for the link in it. */
const LINK_BYTES = 24;
/**
 * A local connection succeeds or fails at once. After this time the holder counts as alive; it may be stopped in a
 * debugger. (ms)
 */
const CONNECT_TIMEOUT_MS = 2000;

/**
 * Calls `use` with a path to `name` in `dir` that is short enough for a socket; for a long path this is a symbolic
 * link.
 */
export async function withShortSocketPath<T>(dir: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(dir, name);
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES) return use(path);
  const fits = (folder: string) => Buffer.byteLength(folder) + LINK_BYTES + name.length <= SOCKET_PATH_BYTES;
  const temporary = mkdtempSync(join(fits(tmpdir()) ? tmpdir() : "/tmp", "proxy-"));
  try {
    symlinkSync(dir, join(temporary, "d"));
    return await use(join(temporary, "d", name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Listens, and closes each connection at once. The socket does not keep the process running. */
export function listenOnLockSocket(path: string): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", fail);
    // A worker would otherwise share the socket with the others.
    server.listen({ path, exclusive: true }, () => done(server.unref()));
  });
}

export function closeLockSocket(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
  });
}

/**
 * True if a process listens on the socket. False only for a refused connection or a missing file; any other error
 * counts as a live process.
 */
export function isLockSocketLive(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    const end = (alive: boolean) => {
      socket.destroy();
      done(alive);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => end(true));
    socket.once("connect", () => end(true));
    socket.once("error", (error: NodeJS.ErrnoException) => end(!["ECONNREFUSED", "ENOENT"].includes(error.code ?? "")));
  });
}
