import { createServer } from "node:net";
import type { LiveConfig } from "#lib/config/live.ts";
import { selfCommand } from "./self.ts";

/** Where the demo keeps its state: below the home folder, apart from the data directory of real use. */
export const DEMO_DATA_DIR = "~/.mcpproxy-demo";

const SERVER = "demo";

/** Configures the demo server, which ships with the program and so is trusted; only its command is ever changed back. */
export async function addDemoServer(config: LiveConfig): Promise<void> {
  const [command, ...args] = selfCommand("demo-server");
  const known = config.server(SERVER);
  if (known?.command === command && known.args?.join("\n") === args.join("\n")) return;
  await config.update((draft) => {
    const found = draft.mcpServers.find((s) => s.name === SERVER);
    if (found) Object.assign(found, { command, args });
    else draft.mcpServers.push({ name: SERVER, command, args, enabled: true, quarantined: false, trust_mode: "auto" });
  }, "demo");
}

/** The usual address when it is free, else any free port, so that a demo starts beside whatever runs already. */
export async function freeAddress(usual: { host: string; port: number }): Promise<string> {
  const free = await new Promise<boolean>((done) => {
    const probe = createServer().once("error", () => done(false));
    probe.listen(usual.port, usual.host, () => probe.close(() => done(true)));
  });
  return `${usual.host}:${free ? usual.port : 0}`;
}
