import type { LiveConfig } from "../../core/config/live-config.ts";
import { demoCommand, isDemoServer } from "../../core/verbs/servers/demo.ts";

/** Name of the demo server. */
export const DEMO_SERVER = "demo";

/**
 * Configures the demo server. It is part of the program and therefore trusted. If it is already configured, only its
 * command is updated.
 *
 * @param self command line that starts this program
 */
export async function addDemoServer(config: LiveConfig, self: readonly string[], by = "demo"): Promise<void> {
  const [command = "", ...args] = demoCommand(self);
  const existing = config.server(DEMO_SERVER);
  if (existing && isDemoServer(existing, self)) return;
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
