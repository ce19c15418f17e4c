import { EXIT } from "./exit.ts";

/** Time in which the signal ends the process; the first process of a container ignores it. (ms) */
const SIGNAL_MS = 200;

/**
 * Ends this process, whose terminal was closed, by SIGHUP. In any other exit Node restores the settings of the terminal,
 * and aborts because it is gone.
 */
export function endHungUp(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
  setTimeout(() => process.exit(EXIT.hungUp), SIGNAL_MS);
}
