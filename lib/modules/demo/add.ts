import type { LiveConfig } from "../../core/config/live-config.ts";
import { demoCommand, isDemoServer } from "../../core/verbs/servers/demo.ts";

/** What the demo server is called. */
export const DEMO_SERVER = "demo";

/**
 * Configures the demo server, which ships with the program and so is trusted; only its command is ever changed back.
 *
 * @param self command line that starts this very program
 */
export async function addDemoServer(config: LiveConfig, self: readonly string[], by = "demo"): Promise<void> {
  const [command = "", ...args] = demoCommand(self);
  const known = config.server(DEMO_SERVER);
  if (known && isDemoServer(known, self)) return;
  await config.update((draft) => {
    const found = draft.mcpServers.find((s) => s.name === DEMO_SERVER);
    if (found) Object.assign(found, { command, args });
    else
      draft.mcpServers.push({
        name: DEMO_SERVER,
        command,
        args,
        enabled: true,
        quarantined: false,
        trust_mode: "auto",
      });
  }, by);
}
