import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The shortest room for a socket's path on any Unix, without its final zero byte (macOS). */
const SOCKET_PATH_BYTES = 103;
/** Room for the folder made in the temporary one, and the link in it. */
const LINK_BYTES = 24;
/** A local connection is made or refused at once; a holder stopped in a debugger still holds. (ms) */
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

/** Whether somebody listens. Only a refusal or a missing file says no: in doubt the directory is held. */
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
