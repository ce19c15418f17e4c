import { createServer } from "node:net";

/** Where the demo keeps its state: below the home folder, apart from the data directory of real use. */
export const DEMO_DATA_DIR = "~/.mcpproxy-demo";

/** The usual address when it is free, else any free port, so that a demo starts beside whatever runs already. */
export async function freeAddress(usual: { host: string; port: number }): Promise<string> {
  const free = await new Promise<boolean>((done) => {
    const probe = createServer().once("error", () => done(false));
    probe.listen(usual.port, usual.host, () => probe.close(() => done(true)));
  });
  return `${usual.host}:${free ? usual.port : 0}`;
}
