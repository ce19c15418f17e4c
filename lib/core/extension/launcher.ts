import { part } from "../app.ts";
import { type Launcher, plainLauncher } from "../upstream/launcher.ts";

/** Starts servers that have a command: as ordinary processes, or isolated if a module provides isolation. */
export const launcher = part<Launcher>("launcher", () => plainLauncher);
