import { part } from "../app.ts";
import { type Launcher, plainLauncher } from "../upstream/launcher.ts";

/** Starts servers that have a command; plain processes, until a module isolates them. */
export const launcher = part<Launcher>("launcher", () => plainLauncher);
