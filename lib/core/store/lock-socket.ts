import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The smallest limit for a socket path on any Unix, without the final zero byte (macOS). */
const SOCKET_PATH_BYTES = 103;
/** Bytes reserved for the new folder in the temporary folder, and the link in it. */
const LINK_BYTES = 24;
/** A local connection succeeds or fails at once; a holder that is stopped in a debugger counts as alive. (ms) */
const CONNECT_TIMEOUT_MS = 2000;

/** Calls `use` with a path to `name` in `dir` that fits a socket address: through a link when the directory lies deep. */
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

export function listenOnLockSocket(path: string): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", fail);
    server.listen(path, () => done(server.unref()));
  });
}

export function closeLockSocket(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
  });
}

/** Whether a process listens on the socket. Only a refused connection or a missing file means no: in doubt it is alive. */
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
