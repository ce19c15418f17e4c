import type { Service, ServiceWish } from "./service.ts";

/**
 * A scheduled task of this user on Windows, which needs no administrator. A Windows service would run as another user,
 * without the programs and sign-ins of this one.
 */
export function scheduledTask({ name, command }: ServiceWish): Service {
  const run = command.map(windowsWord).join(" ");
  return {
    name,
    manager: "task scheduler",
    install: [
      ["schtasks", "/Create", "/F", "/SC", "ONLOGON", "/RL", "LIMITED", "/TN", name, "/TR", run],
      ["schtasks", "/Run", "/TN", name],
    ],
    uninstall: [
      ["schtasks", "/End", "/TN", name],
      ["schtasks", "/Delete", "/F", "/TN", name],
    ],
    start: ["schtasks", "/Run", "/TN", name],
    stop: ["schtasks", "/End", "/TN", name],
    isActive: ["cmd", "/d", "/c", `schtasks /Query /TN ${name} /FO CSV /NH | find "Running"`],
    note: "the task starts when you sign in",
  };
}

/** Quotes a word for a Windows command line. A program's path cannot contain quotes. */
const windowsWord = (word: string) => (/[\s&]/.test(word) ? `"${word}"` : word);
