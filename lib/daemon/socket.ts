import { lstatSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { Fault } from "../core/base/fault.ts";

/**
 * Makes the path of a local socket free: what a killed daemon left there goes; what somebody still answers on, or what
 * is no socket, stays.
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
    // Connected to but too busy to accept is alive too.
    socket.once("timeout", () => end(true));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      end(error.code !== "ECONNREFUSED" && error.code !== "ENOENT"),
    );
  });
}
