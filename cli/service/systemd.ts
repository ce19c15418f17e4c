import { join } from "node:path";
import packageUnit from "../../build/package/mcpproxy.service";
import type { Service, ServiceWish } from "./service.ts";

/** Settings of the packages' system service that also fit a service of one user, whose files the servers may use. */
const SHARED = new Set([
  "Type",
  "UMask",
  "Restart",
  "RestartSec",
  "RestartPreventExitStatus",
  "TimeoutStopSec",
  "KillMode",
  "LimitNOFILE",
]);
/** Variables of the packages' unit that concern memory, not the system user. */
const MEMORY = /^Environment=MALLOC_/;

/** A systemd service of this user. */
export function systemdService(wish: ServiceWish): Service {
  const unit = `${wish.name}.service`;
  const systemctl = (...args: string[]) => ["systemctl", "--user", ...args] as const;
  return {
    name: unit,
    manager: "systemd",
    file: { path: join(wish.configHome || join(wish.home, ".config"), "systemd", "user", unit), text: unitText(wish) },
    install: [systemctl("daemon-reload"), systemctl("enable", unit), systemctl("restart", unit)],
    uninstall: [systemctl("disable", "--now", unit)],
    start: systemctl("start", unit),
    stop: systemctl("stop", unit),
    isActive: systemctl("is-active", "--quiet", unit),
    note: "the service starts when you sign in; to start it at boot, too, run: loginctl enable-linger",
  };
}

function unitText({ command, path }: ServiceWish): string {
  const shared = packageUnit
    .split("\n")
    .filter((line) => SHARED.has(line.split("=")[0]!) || MEMORY.test(line) || line.startsWith("Description="));
  const description = shared.find((line) => line.startsWith("Description="));
  const settings = shared.filter((line) => line !== description);
  return [
    "# Written by `proxy service install`; `proxy service uninstall` removes it.",
    "[Unit]",
    description,
    "",
    "[Service]",
    `ExecStart=${command.map(unitWord).join(" ")}`,
    // The manager's own PATH has no programs such as npx and uvx of this user.
    `Environment=${unitWord(`PATH=${path}`)}`,
    ...settings,
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");
}

/** Quotes a word of a unit file, in which `%` and `$` are special (systemd.service(5)). */
function unitWord(word: string): string {
  const escaped = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$");
  return `"${escaped}"`;
}
