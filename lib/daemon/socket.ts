import { lstatSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { Fault } from "../core/base/fault.ts";

/**
 * Frees the path of a local socket: removes the socket of a killed daemon, but neither one that accepts connections nor
 * another file.
 *
 * @throws Fault address_in_use, listen_failed
 */
export async function freeSocketPath(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket()) throw new Fault("listen_failed", { address: path, reason: "another file has this name" });
  if (await answers(path)) throw new Fault("address_in_use", { address: path });
  rmSync(path, { force: true });
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.setTimeout(1000);
    const end = (answered: boolean) => {
      socket.destroy();
      done(answered);
    };
    socket.once("connect", () => end(true));
    // A daemon that is too busy to accept is running too.
    socket.once("timeout", () => end(true));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      end(error.code !== "ECONNREFUSED" && error.code !== "ENOENT"),
    );
  });
}
