import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Scope } from "#test/kit/program.ts";

/** The program of one of the protocol's own reference servers. */
export function officialServer(name: "everything" | "filesystem" | "memory"): string {
  return resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
}

/** The reference server "everything" over stdio, as a configured server that needs no person. */
export const EVERYTHING = {
  name: "everything",
  command: process.execPath,
  args: [officialServer("everything"), "stdio"],
  quarantined: false,
  trust_mode: "auto",
};

/** A tool of "everything" that takes its time, what it is called with, and the progress it then reports. */
export const SLOW = { name: "trigger-long-running-operation", arguments: { duration: 0.3, steps: 3 } };
export const PROGRESS = [1, 2, 3].map((progress) => ({ progress, total: 3 }));

export interface EverythingHttp {
  readonly url: string;
  /** Ends it without a word and starts another on the same port; it knows no earlier session. */
  replace(): Promise<void>;
}

/** The reference server "everything" over streamable HTTP. */
export async function everythingHttp(scope: Scope): Promise<EverythingHttp> {
  const port = await freePort();
  let child = await listening(port);
  scope.after(() => child.kill("SIGKILL"));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async replace() {
      child.kill("SIGKILL");
      await once(child, "exit");
      child = await listening(port);
    },
  };
}

async function listening(port: number) {
  const child = spawn(process.execPath, [officialServer("everything"), "streamableHttp"], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  // It says so on standard error once it listens; what it says later has to be read all the same.
  await once(createInterface({ input: child.stderr }), "line");
  return child;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
