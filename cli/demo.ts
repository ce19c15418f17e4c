import { createServer } from "node:net";

/** The demo's data directory in the home folder, separate from that of normal use. */
export const DEMO_DATA_DIR = "~/.mcpproxy-demo";

/** The default address if it is free, otherwise any free port, so that a demo can run beside another proxy. */
export async function freeAddress(usual: { host: string; port: number }): Promise<string> {
  const free = await new Promise<boolean>((done) => {
    const probe = createServer().once("error", () => done(false));
    probe.listen(usual.port, usual.host, () => probe.close(() => done(true)));
  });
  return `${usual.host}:${free ? usual.port : 0}`;
}
