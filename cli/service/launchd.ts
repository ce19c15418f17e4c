import { join } from "node:path";
import type { Service, ServiceWish } from "./service.ts";

/** A launchd agent of this user. */
export function launchdService({ name, command, home, path, uid }: ServiceWish): Service {
  const file = join(home, "Library", "LaunchAgents", `${name}.plist`);
  const domain = `gui/${uid}`;
  const target = `${domain}/${name}`;
  return {
    name,
    manager: "launchd",
    file: { path: file, text: plist(name, command, path) },
    install: [["launchctl", "bootstrap", domain, file]],
    uninstall: [["launchctl", "bootout", target]],
    start: ["launchctl", "kickstart", target],
    stop: ["launchctl", "kill", "SIGTERM", target],
    isActive: ["/bin/sh", "-c", `launchctl print ${target} | grep -q 'state = running'`],
  };
}

/** The proxy writes its own log, which it rotates, so its standard error is dropped. */
function plist(name: string, command: readonly string[], path: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${xml(name)}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${xml(word)}</string>`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict><key>PATH</key><string>${xml(path)}</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ProcessType</key><string>Interactive</string>
  <key>ExitTimeOut</key><integer>30</integer>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key><string>/dev/null</string>
  <key>StandardErrorPath</key><string>/dev/null</string>
</dict>
</plist>
`;
}

const xml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
