import { existsSync } from "node:fs";
import { isExecutable } from "../core/base/asset.ts";
import { isProgram } from "../core/upstream/stdio/process-tag.ts";
import type { WatchdogCommand, WatchdogCommands } from "../core/upstream/stdio/watchdog.ts";
import SCRIPT from "./watchdog.sh";

/** The commands that start this program's watchdogs. */
export function watchdogCommands(): WatchdogCommands {
  const self = isExecutable() ? [process.execPath] : [process.execPath, process.argv[1] ?? ""];
  return { complete: { command: [...self, "__watchdog"] }, small: shellWatchdog() };
}

const SHELL = "/bin/sh";
const TOOLS = ["awk", "cat", "grep", "sleep"];

/**
 * The shell watchdog; undefined if the machine lacks what the script needs: the process table of Linux, a shell and its
 * tools.
 */
function shellWatchdog(): WatchdogCommand | undefined {
  const path = `${process.env.PATH ?? ""}:/usr/local/bin:/usr/bin:/bin`;
  if (process.platform !== "linux" || !existsSync("/proc/self/stat") || !existsSync(SHELL)) return undefined;
  if (!TOOLS.every((tool) => isProgram(tool, path, "/"))) return undefined;
  // Passed in a variable, so that process lists show a short command line.
  const command = [SHELL, "-c", 'eval "$PROXY_WATCHDOG"', "proxy-watchdog"];
  return { command, env: { PROXY_WATCHDOG: SCRIPT } };
}
