import type { InstallChannel } from "./updates.ts";

/** The command that installs a new version; undefined if the installation has none (spec 000 §2.7). */
export function updateCommand(channel: InstallChannel): string | undefined {
  return COMMANDS[channel];
}

const COMMANDS: Partial<Record<InstallChannel, string>> = {
  pkgmgr: "brew upgrade proxy",
  deb: "sudo apt-get update && sudo apt-get install --only-upgrade proxy",
  rpm: "sudo dnf upgrade proxy",
  "go-install": "git pull && npm ci && npm run build",
};
